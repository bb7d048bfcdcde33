import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { buildStandIn, RELEASES } from '../../scripts/stand-in-images.mjs';
import type { Operation } from '../../src/core/suite.js';
import { readImageBase } from '../../src/sandbox/docker-base.js';
import { ownerOf } from './containers.js';

/** An issue of a stand-in's project, three candidates, and the test that tells the two apart that can be imported. */
interface Subject {
  readonly family: keyof typeof RELEASES;
  readonly testCommand: string;
  readonly issue: string;
  /** A sentence of it. */
  readonly quote: string;
  /** The file that candidates change, and the line that they replace. */
  readonly file: string;
  readonly line: string;
  readonly right: string;
  readonly wrong: string;
  /** Where tests are, and one of them that the base passes. */
  readonly testFile: string;
  readonly known: string;
  /** A test that the wrong candidate and the base fail. */
  readonly telling: Extract<Operation, { op: 'create' }>;
}

/** One subject for each of the runners: pytest, Django's, sympy's. */
export const SUBJECTS: readonly Subject[] = [
  {
    family: 'flask',
    testCommand: 'pytest -rA',
    issue: '# FLASK_DEBUG=off turns debugging on\n\n`off`, in any case and with blanks around it, means no.\n',
    quote: '`off`, in any case and with blanks around it, means no.',
    file: 'src/flask/helpers.py',
    line: '    return bool(val and val.lower() not in {"0", "false", "no"})\n',
    right: '    return bool(val and val.strip().lower() not in {"0", "false", "no", "off"})\n',
    wrong: '    return bool(val and val.lower() not in {"0", "false", "no", "off"})\n',
    testFile: 'tests/test_helpers.py',
    known: 'tests/test_helpers.py::TestHelpers::test_get_debug_flag[0-False]',
    telling: {
      op: 'create',
      file: 'tests/test_helpers.py',
      name: 'test_debug_off',
      source:
        'def test_debug_off(monkeypatch):\n    monkeypatch.setenv("FLASK_DEBUG", " Off ")\n    assert get_debug_flag() is False\n',
    },
  },
  {
    family: 'django',
    testCommand: './tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1',
    issue:
      '# phone2numeric changes the case of what it does not know\n\nLetters that no key has must stay as they are.\n',
    quote: 'Letters that no key has must stay as they are.',
    file: 'django/utils/text.py',
    line: '    return "".join(char2number.get(c, c) for c in phone.lower())\n',
    right: '    return "".join(char2number.get(c.lower(), c) for c in phone)\n',
    wrong: '    return "".join(char2number.get(c, c) for c in phone)\n',
    testFile: 'tests/utils_tests/test_text.py',
    known: 'tests/utils_tests/test_text.py::TestUtilsText::test_phone2numeric',
    telling: {
      op: 'create',
      file: 'tests/utils_tests/test_text.py',
      className: 'TestUtilsText',
      name: 'test_phone2numeric_case',
      source:
        'def test_phone2numeric_case(self):\n    self.assertEqual(text.phone2numeric("0800 FLOWERÉ"), "0800 356937É")\n',
    },
  },
  {
    family: 'sympy',
    testCommand: "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' bin/test -C --verbose",
    issue: '# digits refuses a whole float as base\n\nA base that is no whole number stays a ValueError.\n',
    quote: 'A base that is no whole number stays a ValueError.',
    file: 'sympy/ntheory/digits.py',
    line: '    b = as_int(b)\n',
    right: '    b = as_int(b, strict=False)\n',
    wrong: '    b = int(b)\n',
    testFile: 'sympy/ntheory/tests/test_digits.py',
    known: 'sympy/ntheory/tests/test_digits.py::test_digits',
    telling: {
      op: 'create',
      file: 'sympy/ntheory/tests/test_digits.py',
      name: 'test_float_base',
      source:
        'def test_float_base():\n    assert digits(35, 10.0) == [10, 3, 5]\n    raises(ValueError, lambda: digits(35, 2.5))\n',
    },
  },
];

/** A subject on disk. */
export interface SubjectFiles {
  readonly image: string;
  readonly repoDir: string;
  readonly issueFile: string;
  /** `right`, `wrong`, and `broken`, which cannot be imported. */
  readonly patches: Readonly<Record<string, string>>;
}

/** Builds a subject's image where it is missing, and puts a checkout of its repository, the issue and patches below `dir`. */
export async function makeSubject({ subject, dir }: { subject: Subject; dir: string }): Promise<SubjectFiles> {
  const { file, line, right, wrong } = subject;
  const { image } = await buildStandIn(RELEASES[subject.family]);
  const { bundle } = await readImageBase({ image, mountAt: '/testbed', owner: ownerOf('subjects') });
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  };
  const repoDir = join(dir, 'repository');
  await execa('git', ['clone', '--quiet', '--branch', 'base', await put('base.bundle', bundle), repoDir]);
  const base = await readFile(join(repoDir, file), 'utf8');
  const texts = {
    right: base.replace(line, right),
    wrong: base.replace(line, wrong),
    broken: base.replace(line, `${right}    )\n`),
  };
  const patches: Record<string, string> = {};
  for (const [agent, text] of Object.entries(texts)) {
    await writeFile(join(repoDir, file), text);
    const { stdout } = await execa('git', ['diff'], { cwd: repoDir });
    patches[agent] = await put(`patches/${agent}.diff`, `${stdout}\n`);
  }
  await writeFile(join(repoDir, file), base);
  return { image, repoDir, issueFile: await put('issue.md', subject.issue), patches };
}
