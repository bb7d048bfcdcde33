/** Names that `pytest.mark.parametrize` decorators fill in, so that no fixture has to. */
export function parametrizedNames(decorators: readonly string[]): ReadonlySet<string> {
  const names = decorators.flatMap((decorator) => {
    const list = /parametrize\(\s*(?:argnames\s*=\s*)?(["'][^"']*["']|[[(][^\])]*[\])])/s.exec(decorator)?.[1] ?? '';
    return list.split(/[^\w]+/).filter(Boolean);
  });
  return new Set(names);
}

/** Fixtures named by `pytest.mark.usefixtures` decorators. */
export function usedFixtures(decorators: readonly string[]): readonly string[] {
  return decorators.flatMap((decorator) => {
    const list = /usefixtures\((.*)\)/s.exec(decorator)?.[1] ?? '';
    return [...list.matchAll(/["'](\w+)["']/g)].map(([, name = '']) => name);
  });
}
