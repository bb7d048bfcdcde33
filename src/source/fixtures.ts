/** Names that `pytest.mark.parametrize` decorators fill in, so that no fixture has to; indirect ones go to fixtures. */
export function parametrizedNames(decorators: readonly string[]): ReadonlySet<string> {
  const names = decorators.flatMap((decorator) => {
    const [, list = '', rest = ''] = PARAMETRIZE.exec(decorator) ?? [];
    const given = list.split(/[^\w]+/).filter(Boolean);
    if (/\bindirect\s*=\s*True/.test(rest)) {
      return [];
    }
    const indirect = /\bindirect\s*=\s*[[(]([^\])]*)/.exec(rest)?.[1] ?? '';
    return given.filter((name) => !new RegExp(`\\b${name}\\b`).test(indirect));
  });
  return new Set(names);
}

const PARAMETRIZE =
  /parametrize\((?:\s|#[^\n]*\n)*(?:argnames\s*=\s*)?((?:["'][^"']*["']\s*)+|[[(][^\])]*[\])])([\s\S]*)/;

/** Fixtures named by `pytest.mark.usefixtures` decorators. */
export function usedFixtures(decorators: readonly string[]): readonly string[] {
  return decorators.flatMap((decorator) => {
    const list = /usefixtures\(([^)]*)\)/s.exec(decorator)?.[1] ?? '';
    return [...list.matchAll(/["'](\w+)["']/g)].map(([, name = '']) => name);
  });
}

/**
 * The parameters of a test (without `self`) that are left for fixtures: `mock.patch` without a new value fills in the
 * first ones, hypothesis' `given` those that it names and as many of the last as it has plain arguments.
 */
export function injectedParameters({
  parameters,
  decorators,
}: {
  readonly parameters: readonly string[];
  readonly decorators: readonly string[];
}): readonly string[] {
  const patched = decorators.filter(fillsIn).length;
  const left = parameters.slice(patched);
  return decorators.reduce((names: readonly string[], decorator) => {
    const list = /^(?:\w+\.)?given\((.*)\)$/s.exec(decorator)?.[1];
    if (list === undefined) {
      return names;
    }
    const parts = topLevelParts(list);
    const named = parts.flatMap((part) => /^(\w+)\s*=[^=]/.exec(part)?.[1] ?? []);
    const open = names.filter((name) => !named.includes(name));
    return open.slice(0, Math.max(0, open.length - (parts.length - named.length)));
  }, left);
}

/** True for a patch that hands its mock to the test. */
function fillsIn(decorator: string): boolean {
  const [, method = '', list = ''] = /^(?:\w+\.)*patch(\.\w+)?\((.*)\)$/s.exec(decorator) ?? [];
  if (list === '' || method === '.dict' || method === '.multiple') {
    return false;
  }
  const parts = topLevelParts(list);
  const positional = parts.filter((part) => !/^\w+\s*=[^=]/.test(part)).length;
  return positional <= (method === '.object' ? 2 : 1) && !parts.some((part) => /^new\s*=/.test(part));
}

/** Splits arguments at the commas that stand in no bracket and no plain string. */
function topLevelParts(list: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const [token] of list.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\s\S]/g)) {
    depth += '([{'.includes(token) ? 1 : ')]}'.includes(token) ? -1 : 0;
    if (token === ',' && depth === 0) {
      parts.push('');
    } else {
      parts[parts.length - 1] += token;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
