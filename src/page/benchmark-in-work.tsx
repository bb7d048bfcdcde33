import { type BenchmarkProgress, etaMs } from '../core/benchmark-progress.js';
import { counted } from '../core/counted.js';
import { DECIDED_BY } from '../core/metrics/record.js';
import type { PageData } from '../report/page-data.js';
import { shortRunId } from '../report/short-run-id.js';
import { Bars } from './charts.js';
import { Head, Scroll, Section } from './parts.js';
import { count, DECIDED, duration, price } from './text.js';

/** Where a benchmark stands, in short: done of all, what is in work, tokens and price, and how long it may take. */
export function BenchmarkLine({ progress }: { progress: BenchmarkProgress }) {
  const { items, tally, knownBefore, running, width, paused, spent, budget } = progress;
  const done = tally.finished + tally.errors;
  const leftMs = etaMs({ progress, nowMs: Date.now() });
  const facts = [
    `${count(tally.tokens)} tokens${budget.maxTokens === null ? '' : ` of ${count(budget.maxTokens)}`}`,
    `${price(tally.usd)}${budget.maxUsd === null ? '' : ` of ${price(budget.maxUsd)}`}`,
    tally.possibleDuplicates === 0 ? '' : `${counted(tally.possibleDuplicates, 'call')} perhaps paid twice`,
    knownBefore === 0 ? '' : `${knownBefore} were done before`,
    leftMs === null ? '' : `about ${duration(leftMs)} left`,
  ];
  return (
    <>
      <p aria-live="polite" class="doing">
        <b>
          {done} of {items} runs have ended
        </b>
        {tally.errors === 0 ? '' : `, ${tally.errors} of them with an error`} ·{' '}
        {paused ? 'paused, ' : spent ? 'budget spent, ' : ''}
        {running.length} in work of at most {width}
      </p>
      <progress value={done} max={Math.max(1, items)} aria-label="Runs that have ended" />
      <p class="facts">{facts.filter((fact) => fact !== '').join(' · ')}</p>
    </>
  );
}

/** A benchmark in work: how those that ended were decided, what is in work and for how long, and the last errors. */
export function BenchmarkInWork({ data, progress }: { data: PageData; progress: BenchmarkProgress }) {
  const { tally, running, failed } = progress;
  const decided = DECIDED_BY.flatMap((kind) => {
    const value = kind === 'error' ? tally.errors : (tally.byDecided[kind] ?? 0);
    const { sign, word } = DECIDED[kind];
    return value === 0 ? [] : [{ name: `${sign} ${word}`, value, text: String(value) }];
  });
  const longest = [...running].sort((left, right) => left.startedMs - right.startedMs);
  return (
    <>
      <h1>{data.run.name}</h1>
      <p class="note">Tables and curves of the whole run come with its end.</p>
      {decided.length === 0 ? null : (
        <Section id="decided" title="How decisions were made so far">
          <Bars title="Runs that have ended, by how they were decided" bars={decided} />
        </Section>
      )}
      <Section id="running" title="In work">
        {longest.length === 0 ? (
          <p>{progress.paused ? 'Nothing: the run is paused.' : 'Nothing at this moment.'}</p>
        ) : (
          <Scroll label="Table of what is in work">
            <table class="list numbers">
              <caption>The longest first</caption>
              <Head names={['Instance', 'Method', 'N', 'For']} />
              <tbody>
                {longest.map(({ runId, instanceId, arm, n, startedMs, restarts }) => (
                  <tr key={`${runId} ${startedMs}`}>
                    <th scope="row">{instanceId}</th>
                    <td class="left">{arm}</td>
                    <td>{n}</td>
                    <td>
                      {duration(Math.max(0, Date.parse(data.madeAt) - startedMs))}
                      {restarts === 0 ? '' : `, begun again ${counted(restarts, 'time')}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Section>
      {failed.length === 0 ? null : (
        <Section
          id="errors"
          title="Last errors"
          note={
            <>
              Once the run has ended, <code>testgrad retry {shortRunId(data.run.id)}</code> runs them again.
            </>
          }
        >
          <ul>
            {failed.map(({ runId, instanceId, arm, code, message }) => (
              <li key={runId}>
                <code>{code}</code> {instanceId}, {arm}: {message}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
