import picocolors from 'picocolors';
import type { DecidedBy, Resolution } from '../core/metrics/record.js';
import { type BenchmarkTable, countCell, thousandsCell, wordCell } from './benchmark-cells.js';
import { hanging } from './columns.js';
import { safeLine } from './safe-text.js';

/** How a method ended on an instance with the first n agents. */
export interface InstanceMethod {
  readonly method: string;
  readonly n: number;
  /** Run that answers it; null where the candidates answer by themselves. */
  readonly item: string | null;
  /** Null while it has not ended. */
  readonly decidedBy: DecidedBy | null;
  /** Agent; null when none was selected. */
  readonly selected: string | null;
  /** Null where none was selected. */
  readonly result: Resolution | null;
  readonly steps: number;
  readonly tokens: number;
  readonly reason: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const RESULT: Readonly<Record<Resolution, string>> = {
  resolved: 'resolved',
  unresolved: 'not resolved',
  unknown: 'not graded',
};

/** A method's answer that is no decision of TestGRAD: whom it selected and why, or why there is none. */
export function renderInstanceMethod({
  own,
  instance,
  run,
  columns,
  colour,
}: {
  own: InstanceMethod;
  instance: string;
  /** Of the benchmark, for the command that runs errors again. */
  run: string;
  columns: number;
  colour: boolean;
}): string {
  const colours = picocolors.createColors(colour);
  const where = `${safeLine(own.method)} with ${own.n} ${own.n === 1 ? 'agent' : 'agents'} on ${safeLine(instance)}`;
  const said = (first: string, text: string): string[] =>
    text === '' ? [] : hanging({ first, text: safeLine(text), columns });
  if (own.decidedBy === null) return `${said(' ', `${where} has not ended yet.`).join('\n')}\n`;
  if (own.error !== null) {
    const lines = [
      ...said(` ! ${own.error.code} `, own.error.message),
      ...said('   ', `Run it again: testgrad retry ${run}`),
    ];
    return `${[...said(' ', `${where} ended with an error.`), ...lines].join('\n')}\n`;
  }
  const head = own.selected === null ? 'No one was selected' : `>> ${safeLine(own.selected)}`;
  return `${[
    ` ${colours.bold(head)}`,
    ...said('    ', `${where}: ${own.decidedBy}${own.result === null ? '' : `, ${RESULT[own.result]}`}`),
    ...said(' Why: ', own.reason),
  ].join('\n')}\n`;
}

/** How every method ended on an instance, with every number of agents. */
export function methodsTable({
  methods,
  instance,
  command,
}: {
  methods: readonly InstanceMethod[];
  instance: string;
  /** Shows one of them. */
  command: string;
}): BenchmarkTable {
  return {
    id: 'instance',
    title: `All methods on ${instance}`,
    columns: [
      { name: 'method', align: 'left' },
      { name: 'N', align: 'right' },
      { name: 'decided by', align: 'left' },
      { name: 'selected', align: 'left' },
      { name: 'result', align: 'left' },
      { name: 'steps', align: 'right' },
      { name: 'k tokens', align: 'right' },
    ],
    rows: together(methods).map(({ method, sizes, decidedBy, selected, result, steps, tokens, error }) => [
      wordCell(method),
      wordCell(sizes),
      wordCell(error === null ? (decidedBy ?? 'not ended') : `error ${error.code}`),
      wordCell(selected ?? '-'),
      wordCell(result === null ? '-' : RESULT[result]),
      countCell(steps),
      thousandsCell(tokens),
    ]),
    notes: [`One of them: ${command}`],
  };
}

/** Neighbours that ended alike as one, with their numbers of agents as `2-4`. */
function together(methods: readonly InstanceMethod[]): (InstanceMethod & { readonly sizes: string })[] {
  const alike = ({ n: _, item: __, reason: ___, ...told }: InstanceMethod): string => JSON.stringify(told);
  const groups: InstanceMethod[][] = [];
  for (const method of methods) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && alike(last[0]) === alike(method)) last.push(method);
    else groups.push([method]);
  }
  return groups.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const sizes = [first, ...others].map(({ n }) => n);
    const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
    // Sizes that were left out are not claimed.
    const whole = high - low === others.length;
    return [{ ...first, sizes: low === high ? `${low}` : whole ? `${low}-${high}` : sizes.toReversed().join(', ') }];
  });
}
