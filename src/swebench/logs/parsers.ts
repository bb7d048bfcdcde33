import { parseDjangoLog } from './django-log.js';
import type { LogParser } from './log-parser.js';
import { parseMatplotlibLog, parsePytestLog, parsePytestOptionsLog } from './pytest-log.js';
import { parsePytestV2Log } from './pytest-v2-log.js';
import { parseSeabornLog } from './seaborn-log.js';
import { parseSympyLog } from './sympy-log.js';

/** The published parsers for Python projects by the name that rows of a v5 dataset use (`log_parser`). */
const PARSERS = {
  parse_log_pytest: parsePytestLog,
  parse_log_astroid: parsePytestLog,
  parse_log_flask: parsePytestLog,
  parse_log_marshmallow: parsePytestLog,
  parse_log_pvlib: parsePytestLog,
  parse_log_pyvista: parsePytestLog,
  parse_log_sqlfluff: parsePytestLog,
  parse_log_xarray: parsePytestLog,
  parse_log_pytest_options: parsePytestOptionsLog,
  parse_log_pydicom: parsePytestOptionsLog,
  parse_log_pylint: parsePytestOptionsLog,
  parse_log_requests: parsePytestOptionsLog,
  parse_log_pytest_v2: parsePytestV2Log,
  parse_log_astropy: parsePytestV2Log,
  parse_log_scikit: parsePytestV2Log,
  parse_log_sphinx: parsePytestV2Log,
  parse_log_matplotlib: parseMatplotlibLog,
  parse_log_seaborn: parseSeabornLog,
  parse_log_django: parseDjangoLog,
  parse_log_sympy: parseSympyLog,
} as const satisfies Readonly<Record<string, LogParser>>;

/** Name of a parser that is known here. */
export type LogParserName = keyof typeof PARSERS;

const BY_REPOSITORY: Readonly<Record<string, LogParserName>> = {
  'astropy/astropy': 'parse_log_astropy',
  'django/django': 'parse_log_django',
  'marshmallow-code/marshmallow': 'parse_log_marshmallow',
  'matplotlib/matplotlib': 'parse_log_matplotlib',
  'mwaskom/seaborn': 'parse_log_seaborn',
  'pallets/flask': 'parse_log_flask',
  'psf/requests': 'parse_log_requests',
  'pvlib/pvlib-python': 'parse_log_pvlib',
  'pydata/xarray': 'parse_log_xarray',
  'pydicom/pydicom': 'parse_log_pydicom',
  'pylint-dev/astroid': 'parse_log_astroid',
  'pylint-dev/pylint': 'parse_log_pylint',
  'pytest-dev/pytest': 'parse_log_pytest',
  'pyvista/pyvista': 'parse_log_pyvista',
  'scikit-learn/scikit-learn': 'parse_log_scikit',
  'sqlfluff/sqlfluff': 'parse_log_sqlfluff',
  'sphinx-doc/sphinx': 'parse_log_sphinx',
  'sympy/sympy': 'parse_log_sympy',
};

/** All parser names. */
export const LOG_PARSER_NAMES = Object.keys(PARSERS) as readonly LogParserName[];

/** The parser of a name, null for one that is not known here (those of other languages). */
export function parserNamed(name: string): LogParser | null {
  return Object.hasOwn(PARSERS, name) ? PARSERS[name as LogParserName] : null;
}

/** Name of the parser that the v4 harness uses for a repository (`owner/name`), null for an unknown one. */
export const parserNameOf = (repository: string): LogParserName | null => BY_REPOSITORY[repository] ?? null;
