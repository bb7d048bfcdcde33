import { useEffect, useState } from 'preact/hooks';
import type { PageListing } from '../report/page-data.js';
import { Head } from './parts.js';
import { hashOf } from './route.js';
import type { Source } from './source.js';
import { when } from './text.js';

const POLL_MS = 4_000;

/** The runs that the viewer knows, the one used last first. */
export function RunList({ source }: { source: Source }) {
  const [runs, setRuns] = useState<readonly PageListing[] | string>('Loading …');
  useEffect(() => {
    document.title = 'Runs · TestGRAD';
    const ask = (): void => void source.runs().then(setRuns, (error: Error) => setRuns(error.message));
    ask();
    const timer = setInterval(ask, POLL_MS);
    return () => clearInterval(timer);
  }, [source]);
  return (
    <main id="main">
      <h1>Runs</h1>
      {typeof runs === 'string' ? (
        <p role="status" class="wait">
          {runs}
        </p>
      ) : (
        <table class="list">
          <Head names={['Run', 'Issue', 'State', 'Selected', 'Started']} />
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <th scope="row">
                  <a href={hashOf({ run: run.id })}>
                    <code>{run.id.slice(0, 8)}</code>
                  </a>
                </th>
                <td>{run.name}</td>
                <td>{run.outcome === '' ? run.state : run.outcome}</td>
                <td>{run.selected ?? '–'}</td>
                <td>{run.startedAt === null ? '–' : when(run.startedAt)}</td>
              </tr>
            ))}
            {runs.length === 0 ? (
              <tr>
                <td colSpan={5}>There is no run yet.</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      )}
    </main>
  );
}
