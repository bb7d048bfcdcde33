import { counted } from '../core/counted.js';
import type { MethodRow } from '../core/metrics/method-table.js';
import type { BenchmarkTable } from '../report/benchmark-cells.js';
import type { PageData } from '../report/page-data.js';
import type { BenchmarkPage } from '../report/page-data-rows.js';
import { Bars, MomentumChart, RateChart } from './charts.js';
import { Glossary } from './glossary.js';
import { InstanceTable } from './instance-table.js';
import { Facts } from './instance-view.js';
import { Fold, Head, Scroll, Section } from './parts.js';
import type { Route } from './route.js';
import { count, DECIDED, percent, points, price } from './text.js';

/** A benchmark: the cards, how decisions were made, the curves, the agents, then every instance. */
export function BenchmarkView({
  data,
  benchmark,
  route,
  setParams,
}: {
  data: PageData;
  benchmark: BenchmarkPage;
  route: Route;
  setParams: (change: Readonly<Record<string, string | null>>) => void;
}) {
  const { summary, warnings, methods, repositories } = benchmark;
  const [reference = ''] = methods;
  const details = summary.details.find(({ method }) => method === reference);
  const row = summary.methods.rows.find(({ method }) => method === reference);
  return (
    <>
      <h1>{data.run.name}</h1>
      <p class="note">
        {counted(summary.instances, 'instance')}, {counted(summary.agents.length, 'agent')} (
        {benchmark.agents.join(', ')}
        ), {counted(methods.length, 'method')}. Cards and charts tell of <b>{reference}</b>.
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          ! {warning}
        </p>
      ))}
      {row === undefined ? null : <Cards row={row} benchmark={benchmark} />}
      {details === undefined ? null : (
        <Section
          id="decided"
          title="How decisions were made"
          note="Filled: resolved. Outlined: not resolved, or not graded."
        >
          <Bars
            title={`Instances by how ${reference} decided`}
            bars={details.decided.map(({ decidedBy, instances, resolved, precision, graded }) => ({
              name: `${DECIDED[decidedBy].sign} ${DECIDED[decidedBy].word}`,
              value: instances,
              full: resolved,
              text: `${instances}${precision === null ? '' : `, ${percent(precision)} of ${graded} graded right`}`,
            }))}
          />
          <Numbers benchmark={benchmark} ids={['decided', 'separations']} />
        </Section>
      )}
      <Section id="methods" title="Methods">
        <Bars title="Pass@1" bars={methodBars(benchmark)} />
        <Numbers benchmark={benchmark} ids={['methods', 'comparison']} />
      </Section>
      <Ensemble benchmark={benchmark} />
      {details === undefined || details.steps.steps.length === 0 ? null : (
        <Section id="separation" title="Steps to separation">
          <Bars
            title="Instances by the step of their first separating test"
            bars={[
              ...details.steps.steps.map(({ step, instances, cumulative }) => ({
                name: `y${step}`,
                value: instances,
                text: `${instances}, ${percent(cumulative)} in all`,
              })),
              { name: 'never', value: details.steps.never, full: 0, text: String(details.steps.never) },
            ]}
          />
          <Numbers benchmark={benchmark} ids={['steps']} />
        </Section>
      )}
      <Section id="cost" title="Cost">
        <Bars
          title="Tokens of an instance, mean"
          bars={summary.methods.rows.map(({ method, overhead }) => ({
            name: method,
            value: overhead?.tokens.mean ?? 0,
            text:
              overhead === null
                ? '–'
                : `${count(overhead.tokens.mean)} tokens, ${price(overhead.usd?.mean ?? null)}, ${overhead.minutes.mean.toFixed(1)} min`,
          }))}
        />
        <Numbers benchmark={benchmark} ids={['overhead']} />
      </Section>
      {details === undefined || details.momentum.length === 0 ? null : (
        <Section id="momentum" title="Momentum against raw memory">
          <MomentumChart
            title="Mean by step"
            points={details.momentum.map(({ step, momentumTokens, rawTokens }) => ({
              step,
              momentum: momentumTokens,
              raw: rawTokens,
            }))}
          />
          <Numbers benchmark={benchmark} ids={['momentum']} />
        </Section>
      )}
      <Agents benchmark={benchmark} />
      <Section id="repositories" title="By repository">
        <Scroll label="Table of repositories">
          <table class="list numbers">
            <Head names={['Repository', 'Instances', 'Resolved', 'Pass@1', '95% interval', 'Fallbacks', 'Errors']} />
            <tbody>
              {repositories.map(({ repository, instances, resolved, rate, interval, fallbacks, errors }) => (
                <tr key={repository}>
                  <th scope="row">{repository}</th>
                  <td>{instances}</td>
                  <td>{resolved}</td>
                  <td>{percent(rate)}</td>
                  <td>{interval === null ? '–' : `${percent(interval.low)} – ${percent(interval.high)}`}</td>
                  <td>{fallbacks}</td>
                  <td>{errors}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Section>
      <Section id="instances" title="Instances">
        <InstanceTable benchmark={benchmark} route={route} setParams={setParams} />
      </Section>
      <Facts data={data} />
      <Glossary />
    </>
  );
}

function Cards({ row, benchmark }: { row: MethodRow; benchmark: BenchmarkPage }) {
  const { pass, gain, headroom, fallbacks, overhead } = row;
  const { best } = benchmark.summary.methods;
  const cards = [
    {
      name: 'Pass@1',
      value: percent(pass.rate),
      note: pass.interval === null ? '' : `95%: ${percent(pass.interval.low)} – ${percent(pass.interval.high)}`,
    },
    { name: 'Gain', value: points(gain), note: `points over ${best.agent} (${percent(best.rate)})` },
    { name: 'Headroom', value: headroom === null ? '–' : percent(headroom), note: 'of the way to the oracle' },
    {
      name: 'Fallbacks',
      value: percent(fallbacks / Math.max(1, pass.instances)),
      note: `${fallbacks} of ${pass.instances}`,
    },
    {
      name: 'An instance',
      value: overhead === null ? '–' : count(overhead.tokens.mean),
      note: overhead === null ? '' : `tokens, ${price(overhead.usd?.mean ?? null)}`,
    },
    { name: 'Errors', value: String(pass.errors), note: pass.errors === 0 ? '' : 'testgrad retry runs them again' },
  ];
  return (
    <ul class="cards" aria-label="In short">
      {cards.map(({ name, value, note }) => (
        <li key={name}>
          <span class="name">{name}</span>
          <b>{value}</b>
          <span class="dim">{note}</span>
        </li>
      ))}
    </ul>
  );
}

function methodBars({ summary }: BenchmarkPage) {
  const { rows, best, oracle, expected, adversary } = summary.methods;
  const bar = (name: string, rate: number) => ({ name, value: rate, text: percent(rate) });
  const known = new Set(rows.map(({ method }) => method));
  return [
    ...(known.has('oracle') ? [] : [bar('oracle', oracle)]),
    ...rows.map(({ method, pass }) => ({
      ...bar(method, pass.rate),
      text: `${percent(pass.rate)} (${pass.resolved})`,
    })),
    bar(`best agent, ${best.agent}`, best.rate),
    ...(known.has('random') ? [] : [bar('random choice', expected)]),
    ...(known.has('adversary') ? [] : [bar('adversary', adversary)]),
  ];
}

function Ensemble({ benchmark }: { benchmark: BenchmarkPage }) {
  const { ensemble, lines } = benchmark.summary;
  if (ensemble.length < 2) return null;
  const swept = [...new Set(lines.map(({ method }) => method))].filter(
    (method) => lines.filter((line) => line.method === method).length > 1,
  );
  // A bound that was also asked for as a method is drawn once.
  const bound = (name: string, of: (row: (typeof ensemble)[number]) => number) =>
    swept.includes(name) ? [] : [{ name, points: ensemble.map((row) => ({ x: row.n, y: of(row) })) }];
  return (
    <Section
      id="ensemble"
      title="Ensemble curve"
      note="What the first N agents together allow, and what methods make of it."
    >
      <RateChart
        title="Pass@1 over N"
        lines={[
          ...bound('oracle', ({ oracle }) => oracle),
          ...swept.map((method) => ({
            name: method,
            main: method === benchmark.methods[0],
            points: lines.filter((line) => line.method === method).map(({ n, pass }) => ({ x: n, y: pass.rate })),
          })),
          ...bound('best agent', ({ best }) => best.rate),
          ...bound('random', ({ expected }) => expected),
          ...bound('adversary', ({ adversary }) => adversary),
        ]}
      />
      <Numbers benchmark={benchmark} ids={['ensemble']} />
    </Section>
  );
}

function Agents({ benchmark }: { benchmark: BenchmarkPage }) {
  const { agents, picks, summary } = benchmark;
  const pairOf = (left: string, right: string) =>
    summary.agreement.find(
      (pair) => (pair.left === left && pair.right === right) || (pair.left === right && pair.right === left),
    );
  return (
    <Section id="agents" title="Agents">
      <Scroll label="Table of agents">
        <table class="list numbers heat">
          <caption>
            Agreement: share of instances that both resolve or neither; own solves, and how often selected
          </caption>
          <Head names={['Agent', ...agents, 'Resolved', 'By it alone', 'Selected', 'of these right']} />
          <tbody>
            {agents.map((left, index) => {
              const solves = summary.uniqueSolves[index];
              const pick = picks[index];
              return (
                <tr key={left}>
                  <th scope="row">{left}</th>
                  {agents.map((right) => {
                    const rate = left === right ? null : (pairOf(left, right)?.agreement ?? null);
                    return (
                      <td key={right} style={rate === null ? undefined : { '--heat': rate }}>
                        {rate === null ? '–' : percent(rate)}
                      </td>
                    );
                  })}
                  <td>{solves?.resolved}</td>
                  <td>{solves?.unique}</td>
                  <td>{pick?.picked}</td>
                  <td>{pick?.resolved}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <Numbers benchmark={benchmark} ids={['agreement']} />
    </Section>
  );
}

/** The tables behind a chart, as the terminal and CSV have them. */
function Numbers({ benchmark, ids }: { benchmark: BenchmarkPage; ids: readonly string[] }) {
  const tables = benchmark.tables.filter(({ id }) => ids.includes(id));
  if (tables.length === 0) return null;
  return <Fold title="Numbers">{() => tables.map((table) => <NumberTable key={table.id} table={table} />)}</Fold>;
}

function NumberTable({ table }: { table: BenchmarkTable }) {
  return (
    <Scroll label={table.title}>
      <table class="list numbers">
        <caption>{table.title}</caption>
        <Head names={table.columns.map(({ name }) => name)} />
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.map(({ text }) => text).join(' ')}>
              {row.map(({ text }, index) => {
                const column = table.columns[index];
                return (
                  <td key={column?.name} class={column?.align}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {table.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </Scroll>
  );
}
