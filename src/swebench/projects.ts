/** How one version of a project is set up and tested in the official images (harness 4.1). */
export interface ProjectSpec {
  /** Shell line that starts the tests; the directives follow it. */
  readonly testCommand: string;
  /** Version of Python in the image, `3.9`. */
  readonly python: string;
  /** Shell line that installs the project; it is run again before the tests. */
  readonly install: string;
  /** Shell lines run before all others, behind the activation of the environment. */
  readonly before: readonly string[];
}

/** Versions that share a set-up; what is left out is as in {@link COMMON}. */
type Group = Partial<ProjectSpec> & { readonly versions: string };

const COMMON: ProjectSpec = {
  testCommand: 'pytest -rA',
  python: '3.9',
  install: 'python -m pip install -e .',
  before: [],
};

const UTF8_OLD = ['LANG=en_US.UTF-8', 'LC_ALL=en_US.UTF-8', 'PYTHONIOENCODING=utf8', 'LANGUAGE=en_US:en'];
const UTF8_NEW = ['LANG=en_US.UTF-8', 'LANGUAGE=en_US:en', 'LC_ALL=en_US.UTF-8'];
const exported = (variables: readonly string[]): readonly string[] => variables.map((one) => `export ${one}`);

const RUNTESTS = './tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1';
const RUNTESTS_1_9 = './tests/runtests.py --verbosity 2';
const SETUP_PY = 'python setup.py install';
const SYMPY = "PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' bin/test -C --verbose";
const ASTROPY_OLD = 'pytest -rA -vv -o console_output_style=classic --tb=no';
const ASTROPY_INSTALL = 'python -m pip install -e .[test] --verbose';
const SCIKIT_INSTALL = 'python -m pip install -v --no-use-pep517 --no-build-isolation -e .';

const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  'astropy/astropy': [
    { versions: '0.1 0.2 0.3 0.4 1.1 1.2 1.3', python: '3.6', testCommand: ASTROPY_OLD, install: ASTROPY_INSTALL },
    { versions: '3.0 3.1 3.2 4.1 4.2 4.3 5.0 5.1 5.2', install: ASTROPY_INSTALL },
    { versions: 'v5.3', python: '3.10', install: ASTROPY_INSTALL },
  ],
  'django/django': [
    { versions: '1.4 1.5 1.6', python: '3.5', testCommand: RUNTESTS, install: SETUP_PY },
    {
      versions: '1.7 1.8 1.10 1.11 2.0 2.1 2.2',
      python: '3.5',
      testCommand: RUNTESTS,
      install: SETUP_PY,
      before: exported(UTF8_OLD),
    },
    { versions: '1.9', python: '3.5', testCommand: RUNTESTS_1_9, install: SETUP_PY, before: exported(UTF8_OLD) },
    {
      versions: '3.0 3.1 3.2',
      python: '3.6',
      testCommand: RUNTESTS,
      before: ["sed -i '/en_US.UTF-8/s/^# //g' /etc/locale.gen && locale-gen", ...exported(UTF8_NEW)],
    },
    { versions: '4.0', python: '3.8', testCommand: RUNTESTS },
    { versions: '4.1 4.2', testCommand: RUNTESTS },
    { versions: '5.0 5.1 5.2', python: '3.11', testCommand: RUNTESTS },
  ],
  'matplotlib/matplotlib': [
    {
      versions: '1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2',
      python: '3.5',
      install: 'python setup.py build; python setup.py install',
    },
    { versions: '3.0', python: '3.7' },
    { versions: '3.1 3.2 3.3 3.4', python: '3.8' },
    { versions: '3.5 3.6 3.7', python: '3.11' },
    { versions: '3.8 3.9', python: '3.11', install: 'python -m pip install --no-build-isolation -e ".[dev]"' },
  ],
  'mwaskom/seaborn': [
    { versions: '0.11', testCommand: 'pytest --no-header -rA' },
    {
      versions: '0.12 0.13 0.14',
      testCommand: 'pytest --no-header -rA',
      install: 'python -m pip install -e .[dev]',
    },
  ],
  'pallets/flask': [
    { versions: '2.0' },
    { versions: '2.1', python: '3.10' },
    { versions: '2.2 2.3 3.0 3.1', python: '3.11' },
  ],
  'psf/requests': [
    {
      versions:
        '0.7 0.8 0.9 0.11 0.13 0.14 1.1 1.2 2.0 2.2 2.3 2.4 2.5 2.7 2.8 2.9 2.10 2.11 2.12 2.17 2.18 2.19 2.22 2.25 ' +
        '2.26 2.27 2.31 3.0',
      install: 'python -m pip install .',
    },
  ],
  'pydata/xarray': [{ versions: '0.12 0.18 0.19 0.20 2022.03 2022.06 2022.09 2023.07 2024.05', python: '3.10' }],
  'pylint-dev/pylint': [{ versions: '2.8 2.9 2.10 2.11 2.13 2.14 2.15 2.16 2.17 3.0 3.1 3.2 3.3 4.0' }],
  'pytest-dev/pytest': [
    { versions: '4.4 4.5 4.6 5.0 5.1 5.2 5.3 5.4 6.0 6.2 6.3 7.0 7.1 7.2 7.4 8.0 8.1 8.2 8.3 8.4' },
  ],
  'scikit-learn/scikit-learn': [
    { versions: '0.20 0.21 0.22', python: '3.6', install: SCIKIT_INSTALL },
    { versions: '1.3 1.4 1.5 1.6', install: SCIKIT_INSTALL },
  ],
  'sphinx-doc/sphinx': [
    {
      versions:
        '1.5 1.6 1.7 1.8 2.0 2.1 2.2 2.3 2.4 3.0 3.1 3.2 3.3 3.4 3.5 4.0 4.1 4.2 4.3 4.4 4.5 5.0 5.1 5.2 5.3 6.0 6.2 ' +
        '7.0 7.1 7.2 7.3 7.4',
      testCommand: 'tox --current-env -epy39 -v --',
      install: 'python -m pip install -e .[test]',
    },
    {
      versions: '8.0 8.1',
      python: '3.10',
      testCommand: 'tox --current-env -epy39 -v --',
      install: 'python -m pip install -e .[test]',
    },
  ],
  'sympy/sympy': [{ versions: '0.7 1.0 1.1 1.2 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12 1.13 1.14', testCommand: SYMPY }],
};

/** The projects of SWE-bench Verified, as `owner/name`. */
export const PROJECTS: readonly string[] = Object.keys(GROUPS);

/** How a version of a project is set up and tested; null for a project or version that the harness does not know. */
export function projectSpec({ repo, version }: { repo: string; version: string }): ProjectSpec | null {
  const group = GROUPS[repo]?.find(({ versions }) => versions.split(' ').includes(version));
  if (group === undefined) return null;
  const { versions: _, ...own } = group;
  return { ...COMMON, ...own };
}

/** All versions of a project that are known. */
export const versionsOf = (repo: string): readonly string[] =>
  (GROUPS[repo] ?? []).flatMap(({ versions }) => versions.split(' '));
