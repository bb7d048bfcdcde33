import type { FileInventory, RequestFact } from './inventory-facts.js';
import type { Place, Resolver } from './inventory-modules.js';
import type { Use } from './inventory-tally.js';

/** Fixtures that pytest itself brings along. */
const BUILT_IN =
  /^(cache|capfd|capfdbinary|caplog|capsys|capsysbinary|capteesys|doctest_namespace|monkeypatch|pytestconfig|pytester|record_property|record_testsuite_property|record_xml_attribute|recwarn|request|subtests|testdir|tmp_path|tmp_path_factory|tmpdir|tmpdir_factory)$/;

/**
 * Fixtures that the tests can ask for, with their uses in the test files. A name means
 * the nearest definition: the file's own, one that it imports, that of the nearest `conftest.py` around it, one of a
 * `pytest_plugins` module, pytest's own.
 */
export function requestUses({
  tests,
  support,
  resolver,
}: {
  readonly tests: readonly FileInventory[];
  readonly support: readonly FileInventory[];
  readonly resolver: Resolver;
}): Use[] {
  const conftests = support.filter(({ path }) => /(^|\/)conftest\.py$/.test(path));
  const plugins = pluginsOf({ files: [...tests, ...conftests], resolver });
  const isOnOffer = new Set([...tests, ...conftests, ...plugins]);
  // What fixtures of a conftest ask for is no use by a test: it would be there in every file below.
  const asked = tests.flatMap((file) =>
    file.requests.map((request) => useOf({ file, request, conftests, plugins, resolver })),
  );
  const offered = [...isOnOffer].flatMap((file) =>
    file.definitions.filter(({ kind }) => kind === 'fixture').map((definition) => definitionOf({ file, definition })),
  );
  // Nobody asks for an automatic one; being in the test file is its use.
  const automatic = tests.flatMap((file) =>
    file.definitions
      .filter(({ kind, detail }) => kind === 'fixture' && detail.startsWith('autouse'))
      .map((definition): Use => ({ ...definitionOf({ file, definition }), count: 1, isDefinition: false })),
  );
  return [...asked.flat(), ...automatic, ...offered];
}

function useOf({
  file,
  request,
  conftests,
  plugins,
  resolver,
}: {
  readonly file: FileInventory;
  readonly request: RequestFact;
  readonly conftests: readonly FileInventory[];
  readonly plugins: readonly FileInventory[];
  readonly resolver: Resolver;
}): Use[] {
  const { name, line, count, within, isOverride } = request;
  const around = conftests
    .filter(({ path }) => path !== file.path && isAround({ conftest: path, path: file.path }))
    .sort((left, right) => right.path.length - left.path.length);
  const nearest = [...(isOverride ? [] : [file]), ...around, ...plugins.filter((plugin) => plugin !== file)];
  const isOfClass = (one: FileInventory): string => (one === file ? within : '');
  const place =
    nearest
      .map((one) => fixtureIn({ file: one, name, within: isOfClass(one), resolver }))
      .find((found) => found !== null) ?? null;
  const key = place === null ? name : keyOf(place);
  const detail = place === null && BUILT_IN.test(name) ? 'of pytest' : undefined;
  const use: Use = { aspect: 'fixture', key, symbol: name, file: file.path, line, count, detail, isDefinition: false };
  return place === null ? [use] : [use, definitionOf(place)];
}

/** A fixture of a file by its name, defined there or imported. */
function fixtureIn({
  file,
  name,
  within,
  resolver,
}: {
  readonly file: FileInventory;
  readonly name: string;
  readonly within: string;
  readonly resolver: Resolver;
}): Place | null {
  const definition = file.definitions.findLast(
    (one) => one.kind === 'fixture' && one.name === name && one.within === within,
  );
  if (definition !== undefined) {
    return { file, definition };
  }
  const fact = file.imports.findLast((one) => one.bound === name && one.name !== null);
  const place =
    fact === undefined ? null : resolver.member({ module: fact.module, name: fact.name ?? name, from: file.path });
  return place?.definition.kind === 'fixture' ? place : null;
}

/** Modules that `pytest_plugins` names, and those that they name in turn. */
function pluginsOf({ files, resolver }: { files: readonly FileInventory[]; resolver: Resolver }): FileInventory[] {
  const found = new Set<FileInventory>();
  const add = (file: FileInventory): void => {
    for (const module of file.plugins) {
      const plugin = resolver.fileOf({ module, from: file.path });
      if (plugin !== null && !found.has(plugin)) {
        found.add(plugin);
        add(plugin);
      }
    }
  };
  for (const file of files) {
    add(file);
  }
  return [...found].filter((plugin) => !files.includes(plugin));
}

function definitionOf({ file, definition }: Place): Use {
  const { name, line, detail } = definition;
  const key = keyOf({ file, definition });
  return { aspect: 'fixture', key, symbol: name, file: file.path, line, count: 0, detail, isDefinition: true };
}

const keyOf = ({ file, definition }: Place): string => `${file.path}::${definition.within}::${definition.name}`;

const isAround = ({ conftest, path }: { conftest: string; path: string }): boolean =>
  path.startsWith(conftest.slice(0, conftest.lastIndexOf('/') + 1));
