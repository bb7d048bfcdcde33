import { useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../core/counted.js';
import type { DecidedBy } from '../core/metrics/record.js';
import type { BenchmarkPage, InstanceEnd, InstanceRow } from '../report/page-data-rows.js';
import { Choice, Head, Scroll } from './parts.js';
import { hashOf, type Route } from './route.js';
import { count, DECIDED } from './text.js';

/** Rows that are made at once; more come on demand. */
const FIRST_ROWS = 600;

type Only = 'all' | 'wrong' | 'near' | 'different' | 'errors';

const RESULT = {
  resolved: { sign: '✓', word: 'resolved' },
  unresolved: { sign: '✗', word: 'not resolved' },
  unknown: { sign: '?', word: 'not graded' },
} as const;

/** Every instance, with filters that the address keeps. In the table, j and k move from one to the next. */
export function InstanceTable({
  benchmark,
  route,
  setParams,
}: {
  benchmark: BenchmarkPage;
  route: Route;
  setParams: (change: Readonly<Record<string, string | null>>) => void;
}) {
  const { params } = route;
  const method = Math.max(0, benchmark.methods.indexOf(params.method ?? ''));
  const [all, setAll] = useState(false);
  const body = useRef<HTMLTableSectionElement>(null);
  const found = useMemo(
    () => benchmark.instances.filter((row) => matches({ row, end: row.ends[method] ?? null, params, benchmark })),
    [benchmark, method, params],
  );
  const rows = all ? found : found.slice(0, FIRST_ROWS);
  const set = (name: string) => (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement | HTMLSelectElement;
    setParams({ [name]: value === '' ? null : value });
  };
  const decided = [...new Set(benchmark.instances.flatMap(({ ends }) => ends[method]?.decidedBy ?? []))];
  const onKey = (event: KeyboardEvent): void => {
    if ((event.key !== 'j' && event.key !== 'k') || event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[event.key === 'j' ? Math.min(links.length - 1, at + 1) : Math.max(0, at - 1)]?.focus();
    event.preventDefault();
  };
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input type="search" value={params.q ?? ''} onInput={set('q')} placeholder="name or test" />
        </label>
        <Select
          label="Method"
          value={benchmark.methods[method] ?? ''}
          onChange={set('method')}
          options={benchmark.methods.map((name) => ({ value: name, text: name }))}
        />
        <Select
          label="Decided by"
          value={params.by ?? ''}
          onChange={set('by')}
          options={[
            { value: '', text: 'anything' },
            ...decided.map((by: DecidedBy) => ({ value: by, text: DECIDED[by].word })),
          ]}
        />
        <Select
          label="Repository"
          value={params.repo ?? ''}
          onChange={set('repo')}
          options={[
            { value: '', text: 'all' },
            ...benchmark.repositories.map(({ repository }) => ({ value: repository, text: repository })),
          ]}
        />
        <Select
          label="Selected agent"
          value={params.agent ?? ''}
          onChange={set('agent')}
          options={[{ value: '', text: 'any' }, ...benchmark.agents.map((name) => ({ value: name, text: name }))]}
        />
        <Choice
          label="Only"
          name="only"
          value={onlyOf(params.only)}
          onChange={(only) => setParams({ only: only === 'all' ? null : only })}
          options={[
            { value: 'all', text: 'all' },
            { value: 'wrong', text: 'wrong picks' },
            { value: 'near', text: 'near misses' },
            ...(benchmark.methods.length > 1 ? [{ value: 'different' as const, text: 'different' }] : []),
            { value: 'errors', text: 'errors' },
          ]}
        />
      </form>
      <p class="note" role="status">
        {counted(found.length, 'instance')} of {benchmark.instances.length}; candidates in the order of agents: ✓
        resolves, ✗ does not, ? not graded, ∅ no usable patch, – none. In the table j and k move, Enter opens.
      </p>
      <Scroll tall label="Table of instances" onKeyDown={onKey}>
        <table class="list instances">
          <Head
            names={[
              'Instance',
              'Result',
              'Decided by',
              'Selected',
              'Candidates',
              'Steps',
              'Tokens',
              'Minutes',
              'Deciding test, or error',
            ]}
          />
          <tbody ref={body}>
            {rows.map((row) => (
              <Row key={row.id} row={row} end={row.ends[method] ?? null} agents={benchmark.agents} run={route.run} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {rows.length < found.length ? (
        <button type="button" onClick={() => setAll(true)}>
          show the other {found.length - rows.length}
        </button>
      ) : null}
    </>
  );
}

function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly text: string }[];
  onChange: (event: Event) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={onChange}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

const ONLY: readonly Only[] = ['all', 'wrong', 'near', 'different', 'errors'];

const onlyOf = (text: string | undefined): Only => ONLY.find((only) => only === text) ?? 'all';

function matches({
  row,
  end,
  params,
  benchmark,
}: {
  row: InstanceRow;
  end: InstanceEnd | null;
  params: Route['params'];
  benchmark: BenchmarkPage;
}): boolean {
  const { q = '', by, repo, agent } = params;
  const only = onlyOf(params.only);
  const words = q.toLowerCase();
  if (words !== '' && !row.id.toLowerCase().includes(words) && !end?.test.toLowerCase().includes(words)) return false;
  if (by !== undefined && end?.decidedBy !== by) return false;
  if (repo !== undefined && row.repository !== repo) return false;
  if (agent !== undefined && (end?.chosen == null || benchmark.agents[end.chosen] !== agent)) return false;
  if (only === 'wrong') return end?.flag === 'wrong-pick';
  if (only === 'near') return end?.flag === 'near-miss';
  if (only === 'different') return row.different;
  return only !== 'errors' || end?.decidedBy === 'error';
}

function Row({
  row,
  end,
  agents,
  run,
}: {
  row: InstanceRow;
  end: InstanceEnd | null;
  agents: readonly string[];
  run: string | null;
}) {
  const dots = row.candidates.map(({ state, resolution }, index) =>
    state === 'usable' ? RESULT[resolution].sign : index >= 0 && state === 'excluded' ? '∅' : '–',
  );
  const said = row.candidates
    .map(({ state, resolution }, index) => `${agents[index]}: ${state === 'usable' ? RESULT[resolution].word : state}`)
    .join(', ');
  return (
    <tr>
      <th scope="row">
        <a data-row href={hashOf({ run, instance: row.id })}>
          {row.id}
        </a>
      </th>
      {end === null ? (
        <td colSpan={8}>no record</td>
      ) : (
        <>
          <EndCells end={end} agents={agents} />
          <td class="dots">
            <span aria-hidden="true">
              {dots.map((dot, index) => (
                <span key={agents[index]} class={index === end.chosen ? 'chosen' : ''}>
                  {dot}
                </span>
              ))}
            </span>
            <span class="hidden">{said}</span>
          </td>
          <CostCells end={end} />
        </>
      )}
    </tr>
  );
}

/** How it ended: result, what decided, whose patch was selected. */
export function EndCells({ end, agents }: { end: InstanceEnd; agents: readonly string[] }) {
  return (
    <>
      <td class={`result ${end.result}`}>
        {end.average ? '– on average only' : `${RESULT[end.result].sign} ${RESULT[end.result].word}`}
        {end.flag === 'wrong-pick' ? <span class="tag">wrong pick</span> : null}
        {end.flag === 'near-miss' ? <span class="tag">near miss</span> : null}
      </td>
      <td>
        <span aria-hidden="true">{DECIDED[end.decidedBy].sign}</span> {DECIDED[end.decidedBy].word}
      </td>
      <td>{end.chosen === null ? '–' : agents[end.chosen]}</td>
    </>
  );
}

/** What it took, and the test that decided it or the error that it ended with. */
export function CostCells({ end }: { end: InstanceEnd }) {
  return (
    <>
      <td class="num">{end.steps}</td>
      <td class="num">{count(end.tokens)}</td>
      <td class="num">{end.minutes.toFixed(1)}</td>
      <td class="told">
        {end.error === '' ? <code>{end.test.split('::').slice(1).join('::') || end.test}</code> : `! ${end.error}`}
      </td>
    </>
  );
}
