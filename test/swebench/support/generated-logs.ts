import fc from 'fast-check';

/** Pieces of logs of all kinds, chosen so that chance puts them where parsers look. */
const PIECES = [
  ...['PASSED', 'FAILED', 'ERROR', 'SKIPPED', 'XFAIL', 'XPASS', 'PASSEDx', 'PASSED ', 'FAILED ', 'ERROR ', 'XFAIL '],
  ...[
    '\nPASSED ',
    '\nFAILED ',
    '\nERROR ',
    '\nSKIPPED ',
    '\nSKIPPED [1] ',
    '\nXFAIL ',
    ' PASSED',
    ' PASSED ',
    ' FAILED',
  ],
  ...[
    'tests/test_a.py::test_x',
    'a.py::T::test_y[a b]',
    't.py::test_p[/tmp/x/y.txt]',
    't.py::t[//h/x]',
    't.py::t[/a*b]',
  ],
  ...[
    't.py::t[[]',
    't.py::t[log(photon',
    ']',
    '[',
    '[]',
    '[1]',
    '[12]',
    '[\u0663]',
    'x[y]z]w',
    'test_a',
    'test_b',
    'é',
    '𝒳',
  ],
  ...[
    ' - ',
    ' - boom',
    '-',
    ' ',
    '  ',
    '\t',
    '\n',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '\v',
    '\f',
    '\u001c',
    '\u001f',
    '\u0085',
  ],
  ...['\u00a0', '\u2028', '\u2029', '\u3000', '\ufeff', '\u200b', '\u0000', '\u007f', '[32m', '[\u0663m', '\u001b[32m'],
  ...[
    '\u001b[0m',
    '\u001b[1;31m',
    '\u001b[1;31mFAILED\u001b[0m ',
    ' ... ',
    ' ... ok',
    ' ... ok\n',
    ' ... OK\n',
    ' ...  OK\n',
  ],
  ...[
    ' ... FAIL\n',
    ' ... ERROR\n',
    " ... skipped 'why'\n",
    ' ... expected failure\n',
    '\nFAIL: test_a (m.T)',
    '\nERROR: x\n',
  ],
  ...[
    '\ntest_a (m.T) ... ',
    '\ntest_b (m.T)\nDocstring. ... ',
    '\nok',
    '\nok\n',
    '\nokay',
    ' ok\n',
    ' F\n',
    ' E\n',
    ' f\n',
    ' s\n',
  ],
  ...[
    '\n____ a/b.py:test_c ____\n',
    '___',
    '_ ',
    ' _',
    '.py:',
    ' x.py:test_d ',
    '\ntest_e ',
    '\ntest_a ok\n',
    '\ntest_a F\n',
  ],
  ...[
    'Testing against Django installed in ',
    ' ... Testing against Django installed in ',
    ' silenced).',
    ' silenced).\nok\n',
  ],
  ...[' ... Internal Server Error: /', 'Internal Server Error: /x/', '/\nok\n', '/x/\nok', '...', ' ...\n', '\n... '],
  ...['System check identified no issues (0 silenced)', ' ... System check identified no issues (0 silenced)\nok\n'],
  ...[
    '--version is equivalent to version',
    'Applying sites.0002_alter_domain_unique...test_no_migrations (s.T) ... ok\n',
  ],
  ...[
    'MouseButton.LEFT',
    'MouseButton.RIGHT',
    't.py::t[MouseButton.LEFT-1]',
    '2 passing',
    "x': ok",
    "x': ok\n",
    '# tests 3',
  ],
  ...[
    'Executed 0 of 0',
    'Tests: 3 passed',
    'Tests:\u001c0',
    'Test Suites: 1 failed, 2 total',
    '1 spec, 0 failures',
    'Killed',
  ],
  ...[
    '\nKilled\n',
    'ModuleNotFoundError',
    'no tests ran',
    'Could not resolve host',
    'Timeout error: 5 seconds exceeded.',
  ],
] as const;

const MARKS = [
  '\n>>>>> Start Test Output\n',
  '\n>>>>> End Test Output\n',
  '\n>>>>> Test Exit Code: 0\n',
  '\n>>>>> Test Exit Code: 1\n',
  '\n>>>>> Test Exit Code: -0\n',
  '>>>>> Test Exit Code:\u00a0\n2',
  '>>>>> Tests Timed Out',
  '>>>>> Reset Failed',
] as const;

const body = fc.array(fc.constantFrom(...PIECES), { minLength: 0, maxLength: 60 }).map((pieces) => pieces.join(''));
const log = fc
  .record({
    before: body,
    inside: body,
    after: body,
    code: fc.constantFrom('', '', '0', '1'),
    mark: fc.option(fc.tuple(fc.constantFrom(...MARKS), fc.nat(3)), { freq: 5 }),
  })
  .map(({ before, inside, after, code, mark }) => {
    const parts = [
      before,
      "\n+ : '>>>>> Start Test Output'\n",
      inside,
      "\n+ : '>>>>> End Test Output'\n",
      code === '' ? '' : `>>>>> Test Exit Code: ${code}\n`,
      after,
    ];
    if (mark !== null) parts.splice(mark[1], 0, mark[0]);
    return parts.join('');
  });

/** Logs put together by chance, always the same for the same seed. */
export const generatedLogs = ({ count, seed }: { count: number; seed: number }): readonly string[] =>
  fc.sample(log, { numRuns: count, seed });
