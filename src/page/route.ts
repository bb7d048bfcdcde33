import { useEffect, useState } from 'preact/hooks';

/** What the address names after its `#`: a run, one of its instances, and how they are shown. */
export interface Route {
  /** Null in a report of one run, and for the list of runs. */
  readonly run: string | null;
  readonly instance: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** `#/r/RUN/i/INSTANCE?step=4`; what it cannot read it leaves out. */
function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').map(decoded);
  const after = (letter: string): string | null => {
    const at = parts.indexOf(letter);
    return at === -1 || at % 2 === 1 ? null : (parts[at + 1] ?? null);
  };
  return { run: after('r'), instance: after('i'), params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a place. */
export function hashOf({ run, instance, params = {} }: Partial<Route>): string {
  const parts = [...(run ? ['r', run] : []), ...(instance ? ['i', instance] : [])];
  const query = new URLSearchParams(params).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The place that the address names, and a way to change how it is shown, which adds no step to the history. */
export function useRoute(): { route: Route; setParams: (change: Readonly<Record<string, string | null>>) => void } {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = (): void => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const setParams = (change: Readonly<Record<string, string | null>>): void => {
    const now = parseRoute(location.hash);
    const all = Object.entries({ ...now.params, ...change });
    const params = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
    history.replaceState(null, '', hashOf({ ...now, params }));
    setRoute({ ...now, params });
  };
  return { route, setParams };
}
