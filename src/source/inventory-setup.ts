import { parametrizedNames } from './fixtures.js';
import type { InventoryFile, UsedSymbol } from './inventory-aspects.js';
import { rolesOf } from './naming.js';

/** Decorators that set nothing up. */
const PLAIN =
  /^(staticmethod|classmethod|property|cached_property|(\w+\.)?(yield_)?fixture|\w+\.(setter|getter|deleter))$/;

/** Fixtures and set-up methods that a file defines, fixtures that its functions ask for, and decorators of its tests. */
export function setUpUses({ path, outline }: InventoryFile): UsedSymbol[] {
  const roles = rolesOf(outline);
  const found = new Map<string, UsedSymbol>();
  const add = ({ symbol, line, count, isDefinition }: Omit<UsedSymbol, 'aspect' | 'file'>): void => {
    const known = found.get(symbol);
    found.set(symbol, {
      aspect: 'fixture',
      symbol,
      file: path,
      line: known !== undefined && (known.isDefinition || !isDefinition) ? known.line : line,
      count: (known?.count ?? 0) + count,
      isDefinition: isDefinition || (known?.isDefinition ?? false),
    });
  };
  for (const [index, definition] of outline.definitions.entries()) {
    const kind = roles[index]?.kind;
    const { name, startLine: line, parameters, decorators, className } = definition;
    const isPytestFixture = decorators.some((decorator) => /fixture\b/.test(decorator));
    if (kind === 'fixture') {
      // Set-up runs for each test of its class: being there is its use.
      add({ symbol: name, line, count: isPytestFixture ? 0 : 1, isDefinition: isPytestFixture });
    }
    if ((kind === 'test' && className === null) || isPytestFixture || (kind === 'test' && parameters.length > 1)) {
      const given = parametrizedNames(decorators);
      for (const parameter of parameters.filter((one) => one !== 'self' && one !== 'cls' && !given.has(one))) {
        add({ symbol: parameter, line, count: 1, isDefinition: false });
      }
    }
    if (kind === 'test' || kind === 'class') {
      for (const decorator of decorators.map((one) => one.replace(/\(.*/s, '')).filter((one) => !PLAIN.test(one))) {
        add({ symbol: `@${decorator}`, line, count: 1, isDefinition: false });
      }
    }
  }
  return [...found.values()];
}
