const inside = (body: string, after = ''): string =>
  `+ : '>>>>> Start Test Output'\n${body}\n+ : '>>>>> End Test Output'\n${after}`;

/** Logs made by hand for what goes wrong in real ones, by what they are about. */
export const NASTY_LOGS: Readonly<Record<string, string>> = {
  empty: '',
  'no markers': 'PASSED a.py::t\ntest_a (m.T) ... ok\ntest_a ok\n',
  'only a start': "+ : '>>>>> Start Test Output'\nPASSED a.py::t\ntest_a (m.T) ... ok\ntest_a ok\n",
  'end before start': `>>>>> End Test Output\n>>>>> Start Test Output\nPASSED a.py::t\ntest_a (m.T) ... ok\ntest_a ok\n`,
  'two starts': inside('PASSED a.py::one\n>>>>> Start Test Output\nPASSED a.py::two\ntest_a (m.T) ... ok\ntest_a ok'),
  'two ends': inside('PASSED a.py::one\n>>>>> End Test Output\nFAILED a.py::two\ntest_a (m.T) ... ok\ntest_a ok'),
  'results outside of the markers': `PASSED a.py::t\ntest_a (m.T) ... ok\ntest_a ok\n${inside('')}`,
  'results outside, failure code': `PASSED a.py::t\ntest_a (m.T) ... ok\ntest_a ok\n${inside('', '>>>>> Test Exit Code: 1\n')}`,
  'nothing ran': inside('no tests ran in 0.01s'),
  'nothing ran, says so': inside('', 'ModuleNotFoundError: x\n'),
  'another runner ran nothing': inside('  0 passing (2s)\n00 specs, 0 failures\nExecuted 0 of 3'),
  'another runner ran ten': inside('  010 passing (2s)'),
  'another runner ran twenty': inside('20 specs, 0 failures'),
  'another runner ran': inside('  3 passing (2s)'),
  'forged passes, exit code 1': inside('PASSED a.py::t\ntest_a (m.T) ... ok\ntest_a ok', '>>>>> Test Exit Code: 1\n'),
  'forged exit code': inside(
    'PASSED a.py::t\n>>>>> Test Exit Code: 0\ntest_a (m.T) ... ok\ntest_a ok',
    '>>>>> Test Exit Code: 1\n',
  ),
  'failure, exit code 1': inside('FAILED a.py::t - x\ntest_a (m.T) ... FAIL\ntest_a F', '>>>>> Test Exit Code: 1\n'),
  'a printed failure marker': inside('PASSED a.py::t\n>>>>> Patch Apply Failed\ntest_a (m.T) ... ok\ntest_a ok'),
  'a printed time-out marker': inside('PASSED a.py::t\n>>>>> Tests Timed Out\ntest_a (m.T) ... ok'),
  'bare status words': inside('PASSED\nFAILED\nERROR\nSKIPPED\nXFAIL\nPASSED \n FAILED \n'),
  'bare Django words': inside('FAIL:\ntest_a (m.T) ... ok'),
  'bare Django error': inside('test_a (m.T) ... ok\nERROR:   '),
  'status without a space': inside('PASSEDa.py::t\nFAILEDx junk\nERRORS a\nSKIPPEDish b c\nXFAILED d'),
  'names with spaces': inside(
    'PASSED a.py::t[a b]\nPASSED a.py::t[a c]\nFAILED a.py::t[x - y] - boom\na.py::t[a b] PASSED',
  ),
  'the same name twice': inside('PASSED a.py::t\nERROR a.py::t - teardown\ntest_a (m.T) ... ok\nFAIL: test_a (m.T)'),
  'error after the reason': inside(
    'ERROR a.py::t - E - F\nXFAIL a.py::u - known - bug\nXPASS a.py::v\nSKIPPED [2] a.py:3: no',
  ),
  'colours, long and short': inside(
    '\u001b[32mPASSED\u001b[0m a.py::t\n[32mPASSED[0m a.py::u\n\u001b[1;31mFAILED\u001b[0m a.py::v',
  ),
  'colours after names': inside('a.py::t \u001b[32mPASSED\u001b[0m\na.py::u[1] \u001b[31mFAILED\u001b[0m [ 50%]'),
  'carriage returns': inside(
    'PASSED a.py::t\r\nFAILED a.py::u - x\r\ntest_a (m.T) ... ok\r\nprogress\rPASSED a.py::v\rtest_b ok\r\n',
  ),
  'tabs and vertical tabs': inside('PASSED\ta.py::t\nPASSED\va.py::u\fPASSED a.py::w\n\ttest_a ok'),
  'separators of Unicode': inside(
    'PASSED\u2028a.py::t\nPASSED\u0085a.py::u\nPASSED\u001ca.py::v\nPASSED\ufeffa.py::w\ntest_a\u00a0ok',
  ),
  'emoji and astral names': inside('PASSED a.py::t[😀 x]\nPASSED a.py::t[𝒳]\ntest_😀 (m.T) ... ok\ntest_𝒳 ok'),
  'a null byte': inside('PASSED a.py::t\u0000x\ntest_a\u0000 (m.T) ... ok'),
  'paths in parameters': inside(
    'PASSED a.py::t[/tmp/x/f.txt]\nPASSED a.py::t[/]\nPASSED a.py::t[//h/x]\nPASSED a.py::t[/a*/b]\nPASSED a.py::t[/a][/b/c]z',
  ),
  'brackets of all kinds': inside(
    'PASSED a.py::t[[a]]\nPASSED a.py::t]x[\nPASSED a.py::t[\nPASSED []\nPASSED [100%]\nSKIPPED [100%]\nSKIPPED [1]',
  ),
  'mouse buttons': inside('PASSED a.py::t[MouseButton.LEFT-MouseButton.RIGHT]\nFAILED a.py::u[MouseButton.RIGHT]'),
  'interleaved workers': inside(
    '[gw0] PASSED a.py::t\n[gw1] [ 50%] FAILED a.py::u\nPASSED a.py::v PASSED a.py::w\n a.py::x PASSED [10%]',
  ),
  'Django: print between name and ok': inside('test_a (m.T) ... printed\nmore\nok\ntest_b (m.T) ... okay\nok then'),
  'Django: testing against': inside(
    "test_a (m.T) ... Testing against Django installed in '/x' with 4 processes\nSystem check identified no issues (3 silenced).\nok\n",
  ),
  'Django: testing against, twice': inside(
    'a ... Testing against Django installed in x\ny silenced).\nok\nb ... Testing against Django installed in z silenced).\nok\nc ... Testing against Django installed in q silenced).\nno',
  ),
  'Django: server error': inside(
    'a ... Internal Server Error: /x/\nok\nb ... Internal Server Error: /x\nok\nc ... Internal Server Error: //\nok\nd ... Internal Server Error: /\nok',
  ),
  'Django: checks': inside(
    'a ... System check identified no issues (0 silenced)\nok\nb ... System check identified no issues (0 silenced).\nok\nc\n...\nSystem check identified no issues (0 silenced)\nok',
  ),
  'Django: docstrings': inside(
    'test_a (m.T)\nDoes it ... ok ... ok\ntest_b (m.T)\nSays ... FAIL ... FAIL\n ... ok\n ... skipped',
  ),
  'Django: glued migration': inside(
    'Applying sites.0002_alter_domain_unique...test_no_migrations (s.T) ... ok\nApplying sites.0002_alter_domain_unique... OK\ntest_x ... OK\ntest_y ...  OK',
  ),
  'Django: version': inside('x --version is equivalent to version y'),
  'sympy: banners': inside(
    '____ a/b.py:test_x ____\n_ c.py:test y _\n .py: \n____ no banner ____\nx y.py:z\n__ a.py:b.py:c d __',
  ),
  'sympy: same name in two files': inside('test_a ok\ntest_a F\ntest_b F\ntest_b ok\ntest_c E\n'),
  'sympy: endings': inside(
    'test_a f\ntest_b s\ntest_c X\ntest_d Ff\ntest_e  ok\ntest_f\tok\ntest_ok\ntest_g timeout F\nxtest_h ok',
  ),
  'sympy: colours': inside('test_a \u001b[32mok\u001b[0m\ntest_b \u001b[31mF\u001b[0m\ntest_c ok'),
  'seaborn: passes': inside('a.py::t PASSED [10%]\nx y PASSED z\n PASSED \nPASSED a.py::u\nFAILED a.py::v - x'),
  'seaborn: bare failure': inside('PASSED a.py::u\nFAILED'),
  'a thousand spaces': inside(`PASSED a.py::t${' '.repeat(1_000)}x\ntest_a ok`),
  'a long line of brackets': inside(`PASSED ${'['.repeat(200)}\ntest_a ok\ntest_a (m.T) ... ok`),
  'infrastructure: memory': 'x\nKilled\n',
  'infrastructure: first of several': 'ModuleNotFoundError\nError response from daemon\n',
};

/** Logs with bytes that are no UTF-8. */
export const STRAY_BYTES: Readonly<Record<string, Uint8Array>> = {
  'a lone byte': Buffer.from(inside('PASSED a.py::t[\xff]\ntest_a (m.T) ... ok\ntest_a ok'), 'latin1'),
  'half a character': Buffer.concat([
    Buffer.from(inside('PASSED a.py::t[')),
    Buffer.from([0xf0, 0x9f, 0x98]),
    Buffer.from('x]\nPASSED a.py::u\n>>>>> Start Test Output\n>>>>> End Test Output'),
  ]),
  surrogates: Buffer.concat([
    Buffer.from("+ : '>>>>> Start Test Output'\nPASSED a.py::t["),
    Buffer.from([0xed, 0xa0, 0x80, 0xc0, 0xaf, 0xf4, 0x90]),
    Buffer.from("]\ntest_a (m.T) ... ok\n+ : '>>>>> End Test Output'\n"),
  ]),
};
