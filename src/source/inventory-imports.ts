import { isTestPath } from '../core/test-paths.js';
import { boundBy, importOf } from './import-statement.js';
import type { InventoryFile, UsedSymbol } from './inventory-aspects.js';

/**
 * Names that a file imports from the project, with their uses: `api`, or `helper` where the module belongs to the tests
 * (relative imports included).
 */
export function importUses({
  file,
  projectModules,
}: {
  readonly file: InventoryFile;
  readonly projectModules: readonly string[];
}): UsedSymbol[] {
  const statements = file.root.descendantsOfType(['import_statement', 'import_from_statement']);
  const found = new Map<string, UsedSymbol>();
  for (const statement of statements) {
    const { module, names, wildcard } = importOf(statement);
    const imported = wildcard ? [...names, { name: '*', alias: null }] : names;
    for (const name of imported) {
      const aspect = aspectOf({ path: file.path, module: module ?? name.name, projectModules });
      const { bound, target } = boundBy({ module, name });
      const symbol = module === null ? name.name : target;
      if (aspect !== null && !found.has(symbol)) {
        const isDotted = module === null && bound !== symbol && name.alias === null;
        const { count: all = 0, members = 0 } = file.names.get(bound) ?? {};
        const uses = isDotted ? file.outline.text.split(symbol).length - 1 : all - members;
        // The import itself names it once for each statement that repeats it; one use is the least.
        const count = Math.max(1, uses - 1);
        const line = statement.startPosition.row + 1;
        found.set(symbol, { aspect, symbol, file: file.path, line, count, isDefinition: false });
      }
    }
  }
  return [...found.values()];
}

function aspectOf({
  path,
  module,
  projectModules,
}: {
  readonly path: string;
  readonly module: string;
  readonly projectModules: readonly string[];
}): 'api' | 'helper' | null {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  if (dots > 0) {
    const folders = path.split('/').slice(0, -1);
    const parts = [...folders.slice(0, folders.length - dots + 1), ...module.slice(dots).split('.')].filter(Boolean);
    return isTestPath(`${parts.join('/')}.py`) || dots === 1 ? 'helper' : 'api';
  }
  if (isTestPath(`${module.replaceAll('.', '/')}/_.py`)) {
    return 'helper';
  }
  return projectModules.some((name) => module === name || module.startsWith(`${name}.`)) ? 'api' : null;
}
