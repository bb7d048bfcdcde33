import { fileOf, qualifiedNameOf } from '../core/row.js';
import { safeLine } from './safe-text.js';

/** One test that runs under several ids: with other parameters, or in several classes that inherit it. */
export interface TestGroup<Item> {
  /** The id of the only member, else what the members' ids share; a few parameters are listed. Safe to print. */
  readonly testId: string;
  /** `in 7 classes`, `in 3 classes, 6 cases`, `in 12 cases`; empty when the id says it all. */
  readonly spread: string;
  /** In the order given, at least one. */
  readonly items: readonly Item[];
}

/** More parameters, or longer ones, are only counted. */
const MAX_LISTED = 3;
const MAX_LISTED_LENGTH = 60;

interface IdParts {
  readonly file: string;
  /** `Outer::Inner`, or empty for a test of the module. */
  readonly className: string;
  readonly name: string;
  /** With brackets, or empty. */
  readonly parameters: string;
}

function partsOf(testId: string): IdParts {
  const file = fileOf(testId);
  const qualified = qualifiedNameOf(testId);
  const names = qualified.split('::');
  const name = names.pop() ?? '';
  return { file, className: names.join('::'), name, parameters: testId.slice(file.length + 2 + qualified.length) };
}

/**
 * Puts items of one test together: same name, in the same file or in classes (which inherit it, wherever they are), and
 * the same `alike`, which says what else has to be equal. Groups and their members keep the order of the items.
 */
export function groupTests<Item>({
  items,
  idOf,
  alike,
}: {
  items: readonly Item[];
  idOf: (item: Item) => string;
  alike: (item: Item) => unknown;
}): TestGroup<Item>[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const { file, className, name } = partsOf(idOf(item));
    const key = JSON.stringify([className === '' ? file : null, name, alike(item)]);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map((members) => ({ ...labelOf(members.map(idOf)), items: members }));
}

function labelOf(ids: readonly string[]): Pick<TestGroup<never>, 'testId' | 'spread'> {
  const parts = [...new Set(ids)].map(partsOf);
  const classes = [...new Set(parts.map(({ className }) => className))];
  const parameters = [...new Set(parts.map((part) => part.parameters))];
  const { file = '', name = '' } = parts[0] ?? {};
  const inClass = classes.length === 1 && classes[0] !== '' ? `${classes[0]}::` : '';
  const files = new Set(parts.map((part) => part.file));
  const within = files.size === 1 && name !== '' ? `${file}::` : '';
  const path = name === '' ? file : `${within}${inClass}${name}`;
  if (classes.length === 1 && files.size === 1) {
    const listed = parameters.join(', ');
    const short = parameters.length <= MAX_LISTED && !parameters.includes('') && listed.length <= MAX_LISTED_LENGTH;
    return parameters.length === 1 || short
      ? { testId: safeLine(`${path}${listed}`), spread: '' }
      : { testId: safeLine(path), spread: `in ${parameters.length} cases` };
  }
  const shared = parameters.length === 1 ? (parameters[0] ?? '') : '';
  const cases = parts.length > classes.length ? `, ${parts.length} cases` : '';
  const spread = classes.length === 1 ? `in ${files.size} files` : `in ${classes.length} classes`;
  return { testId: safeLine(`${path}${shared}`), spread: `${spread}${cases}` };
}
