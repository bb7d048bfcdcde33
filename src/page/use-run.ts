import { useEffect, useState } from 'preact/hooks';
import type { PageData } from '../report/page-data.js';
import type { Source } from './source.js';

/** Between two questions about a run in work. */
const POLL_MS = 1_500;

/** A run as it was last told. */
export interface Followed {
  /** Null before the first answer. */
  readonly data: PageData | null;
  /** Why the last question got no answer; empty when it did. */
  readonly error: string;
}

/** Loads a run, and a viewer's run again and again while it is in work. What was told last stays when an answer fails. */
export function useRun({ source, run }: { source: Source; run: string | null }): Followed {
  const [followed, setFollowed] = useState<Followed>({ data: null, error: '' });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const again = (data: PageData | null): void => {
      const open = data === null || data.run.state === 'running' || data.run.state === 'unknown';
      if (source.kind === 'viewer' && open && !left) timer = setTimeout(ask, POLL_MS);
    };
    let known: PageData | null = null;
    const ask = (): void => {
      source.run(run).then(
        (data) => {
          if (left) return;
          known = data;
          setFollowed({ data, error: '' });
          again(data);
        },
        (error: Error) => {
          if (left) return;
          setFollowed({ data: known, error: error.message });
          again(known);
        },
      );
    };
    ask();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [source, run]);
  return followed;
}
