import { useEffect, useState } from 'preact/hooks';
import { counted } from '../core/counted.js';
import type { PageData } from '../report/page-data.js';
import { BenchmarkLine } from './benchmark-in-work.js';
import type { Source } from './source.js';
import { count, duration, price } from './text.js';
import type { Followed } from './use-run.js';

/** Where a run in work stands, and how old that is. Nothing for a run that has ended. */
export function LiveBanner({ data, source, followed }: { data: PageData; source: Source; followed: Followed }) {
  const { run, progress } = data;
  if (run.state === 'finished' && followed.error === '') return null;
  const states = {
    finished: 'finished',
    running: 'running',
    failed: '✗ failed',
    cancelled: '✗ cancelled',
    unknown: '? no result yet',
  } as const;
  return (
    <section class="live" aria-label="Where the run stands">
      <p>
        <b class={`state ${run.state}`}>{states[run.state]}</b>
        {source.kind === 'viewer' ? <Age at={data.madeAt} /> : <span> as of the report</span>}
        {followed.error === '' ? null : <span class="trouble"> ! {followed.error}</span>}
        {data.trouble === '' ? null : <span class="trouble"> ! {data.trouble}</span>}
      </p>
      {data.benchmarkProgress === null ? null : <BenchmarkLine progress={data.benchmarkProgress} />}
      {progress === null ? null : (
        <>
          <p aria-live="polite" class="doing">
            <b>
              y{progress.step} of {progress.steps}
            </b>{' '}
            · {progress.paused ? 'paused' : progress.phase}: {progress.message}
            {progress.phase === 'backward' && progress.turn > 0 ? `, turn ${progress.turn}` : ''}
          </p>
          <progress value={progress.step} max={Math.max(1, progress.steps)} aria-label="Steps done" />
          <p class="facts">
            {counted(progress.rows, 'test')} · {progress.differential} separating, {progress.evidence} evidence,{' '}
            {progress.flaky} flaky · {counted(progress.failedUpdates, 'failed update')} · {count(progress.tokens)}{' '}
            tokens, {price(progress.usd)} · in the lead:{' '}
            {progress.leaders.map((id) => progress.candidates.find((each) => each.id === id)?.agent ?? id).join(', ') ||
              'not known yet'}
          </p>
        </>
      )}
    </section>
  );
}

function Age({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const age = Math.max(0, now - Date.parse(at));
  return <span class="dim"> as of {age < 2000 ? 'now' : `${duration(age)} ago`}</span>;
}
