import { Scroll } from './parts.js';
import { count, percent } from './text.js';

const WIDTH = 560;
const HEIGHT = 240;
const LEFT = 52;
const BOTTOM = 30;
const TOP = 12;
const RIGHT = 118;

/** A line of a chart. Lines differ in dashes and in the shape of their points, not in colour alone. */
export interface Line {
  readonly name: string;
  /** True for the line that the chart is about. */
  readonly main?: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const SHAPES = ['●', '■', '▲', '◆', '○', '□', '△', '◇', '▼', '▽'] as const;

/** Lines over whole numbers with a name at their end. The table of the same numbers stands beside it for those who cannot see it. */
function LineChart({
  title,
  lines,
  log = false,
  xLabel,
  format,
}: {
  title: string;
  lines: readonly Line[];
  log?: boolean;
  xLabel: string;
  format: (value: number) => string;
}) {
  const all = lines.flatMap(({ points }) => points);
  if (all.length === 0) return null;
  const ys = all.map(({ y }) => y);
  const [low, high] = rangeOf({ ys, log });
  const xs = [...new Set(all.map(({ x }) => x))].sort((left, right) => left - right);
  const [first = 0, last = 1] = [xs[0], xs.at(-1)];
  const scaled = (value: number): number => (log ? Math.log10(Math.max(1, value)) : value);
  const xOf = (x: number): number => LEFT + ((x - first) / Math.max(1, last - first)) * (WIDTH - LEFT - RIGHT);
  const yOf = (y: number): number =>
    HEIGHT - BOTTOM - ((scaled(y) - scaled(low)) / (scaled(high) - scaled(low) || 1)) * (HEIGHT - BOTTOM - TOP);
  // What the chart is about lies above the others.
  const drawn = lines
    .map((line, index) => ({ line, index }))
    .sort((left, right) => Number(left.line.main ?? false) - Number(right.line.main ?? false));
  const ends = spread(lines.map(({ points }) => yOf(points.at(-1)?.y ?? low)));
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Scroll label={title}>
        <svg
          class="lines"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={`${title}: ${lines.map(said(format)).join('; ')}`}
        >
          {ticksOf({ low, high, log }).map((tick) => (
            <g key={tick}>
              <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={yOf(tick)} y2={yOf(tick)} />
              <text class="tick" x={LEFT - 6} y={yOf(tick) + 4} text-anchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          {xs.map((x) => (
            <text key={x} class="tick" x={xOf(x)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
              {x}
            </text>
          ))}
          <text class="tick" x={WIDTH - RIGHT + 14} y={HEIGHT - BOTTOM + 16}>
            {xLabel}
          </text>
          {drawn.map(({ line: { name, main = false, points }, index }) => (
            <g key={name} class={`series s${index % 6}${main ? ' main' : ''}`}>
              <polyline points={points.map(({ x, y }) => `${xOf(x)},${yOf(y)}`).join(' ')} />
              {points.map(({ x, y }) => (
                <text key={x} class="point" x={xOf(x)} y={yOf(y) + 4} text-anchor="middle">
                  {SHAPES[index % SHAPES.length]}
                </text>
              ))}
              <text class="name" x={WIDTH - RIGHT + 12} y={(ends[index] ?? 0) + 4}>
                {SHAPES[index % SHAPES.length]} {name}
              </text>
            </g>
          ))}
        </svg>
      </Scroll>
    </figure>
  );
}

const said =
  (format: (value: number) => string) =>
  ({ name, points }: Line): string =>
    `${name} from ${format(points[0]?.y ?? 0)} to ${format(points.at(-1)?.y ?? 0)}`;

function rangeOf({ ys, log }: { ys: readonly number[]; log: boolean }): [number, number] {
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (log) return [10 ** Math.floor(Math.log10(Math.max(1, low))), 10 ** Math.ceil(Math.log10(Math.max(10, high)))];
  const step = stepOf({ low, high });
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

function ticksOf({ low, high, log }: { low: number; high: number; log: boolean }): number[] {
  if (log) {
    const from = Math.round(Math.log10(low));
    return Array.from({ length: Math.round(Math.log10(high)) - from + 1 }, (_, index) => 10 ** (from + index));
  }
  const step = stepOf({ low, high });
  return Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
}

/** A round distance of lines, so that there are about five. */
function stepOf({ low, high }: { low: number; high: number }): number {
  const rough = (high - low || high || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough > power * 5 ? 10 : rough > power * 2 ? 5 : rough > power ? 2 : 1);
}

/** Moves the names at the ends of lines apart, in their order from above. */
function spread(ys: readonly number[]): number[] {
  const order = ys.map((y, index) => ({ y, index })).sort((left, right) => left.y - right.y);
  let before = Number.NEGATIVE_INFINITY;
  const moved = order.map(({ y, index }) => {
    before = Math.max(y, before + 14);
    return { y: before, index };
  });
  const over = Math.max(0, (moved.at(-1)?.y ?? 0) - (HEIGHT - BOTTOM));
  return ys.map((_, index) => (moved.find((each) => each.index === index)?.y ?? 0) - over);
}

/** One bar a thing, with its value in words. A part of a bar is hatched and named. */
export function Bars({
  title,
  bars,
}: {
  title: string;
  bars: readonly {
    readonly name: string;
    readonly value: number;
    /** Part of the value that is drawn full; the rest is hatched. */
    readonly full?: number;
    readonly text: string;
  }[];
}) {
  const most = Math.max(1e-9, ...bars.map(({ value }) => value));
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <table class="bars">
        <tbody>
          {bars.map(({ name, value, full = value, text }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="rest" x="0" y="0" height="12" width={(value / most) * 200} />
                  <rect class="full" x="0" y="0" height="12" width={(full / most) * 200} />
                </svg>
              </td>
              <td class="value">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Momentum and the raw memory by step, on a logarithmic axis. */
export function MomentumChart({
  points,
  title,
}: {
  points: readonly { readonly step: number; readonly momentum: number; readonly raw: number }[];
  title: string;
}) {
  const lines = [
    { name: 'raw memory', points: points.map(({ step, raw }) => ({ x: step, y: raw })) },
    { name: 'momentum', main: true, points: points.map(({ step, momentum }) => ({ x: step, y: momentum })) },
  ];
  return <LineChart title={`${title}, tokens`} lines={lines} log xLabel="step" format={count} />;
}

/** Rates over the number of agents. */
export function RateChart({ title, lines }: { title: string; lines: readonly Line[] }) {
  return <LineChart title={title} lines={lines} xLabel="N" format={percent} />;
}
