import { boundBy, importOf } from './import-statement.js';
import type { ChainUse, ImportFact } from './inventory-facts.js';
import type { PythonNode } from './parser.js';

/** The names that the imports of a file bind, those inside of functions included, with their uses. */
export function importFacts({
  path,
  statements,
  names,
}: {
  readonly path: string;
  readonly statements: readonly PythonNode[];
  readonly names: ReadonlyMap<string, readonly ChainUse[]>;
}): ImportFact[] {
  const found = new Map<string, ImportFact>();
  for (const statement of statements) {
    const { module: written, names: imported, wildcard } = importOf(statement);
    const isRelative = written?.startsWith('.') === true;
    for (const one of wildcard ? [...imported, { name: '*', alias: null }] : imported) {
      const { bound, target } = boundBy({ module: written, name: one });
      const module = written === null ? target : isRelative ? absolute({ path, module: written }) : written;
      const key = `${bound}\n${target}`;
      if (!found.has(key)) {
        found.set(key, {
          module,
          name: written === null ? null : one.name,
          bound,
          symbol: target,
          isRelative,
          line: statement.startPosition.row + 1,
          uses: names.get(bound) ?? [],
        });
      }
    }
  }
  return [...found.values()];
}

/** `..a.b` in `x/y/z.py` is `x.a.b`. */
function absolute({ path, module }: { readonly path: string; readonly module: string }): string {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const folders = path.split('/').slice(0, -1);
  const above = folders.slice(0, Math.max(0, folders.length - dots + 1));
  return [...above, ...module.slice(dots).split('.')].filter(Boolean).join('.');
}
