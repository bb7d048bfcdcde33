import { type ErrorCode, InputError } from '../../errors.js';
import type { InputReport, SourceReport } from './input-report.js';

/** One kind of finding of a source: how many, an example, and the code it stops with. */
interface Finding {
  readonly code: ErrorCode;
  readonly count: number;
  readonly text: string;
}

/**
 * Stops a strict run whose inputs are not clean: throws the error of the first finding, worst kind first: TG-I21 for rows
 * of the dataset that were left out, TG-I06 unreadable, TG-I07 other fields, TG-I08 double, TG-I09 unknown, TG-I20 with
 * text that is no diff, TG-I10 missing or empty.
 */
export function refuseUnclean(report: InputReport): void {
  if (report.clean) return;
  const findings = [datasetFinding(report), ...report.sources.flatMap(findingsOf)].filter(({ count }) => count > 0);
  const order: readonly ErrorCode[] = ['TG-I21', 'TG-I06', 'TG-I07', 'TG-I08', 'TG-I09', 'TG-I20', 'TG-I10'];
  const [worst] = findings.sort((left, right) => order.indexOf(left.code) - order.indexOf(right.code));
  if (worst === undefined) return;
  const others = findings.length - 1;
  throw new InputError({
    code: worst.code,
    what: `${worst.text}${others === 0 ? '' : `, and ${others} more ${others === 1 ? 'finding' : 'findings'} above`}.`,
    meaning: 'With --strict nothing starts while the inputs are not clean.',
    fix: 'Mend the inputs, or leave --strict out: what cannot be used is then counted and the rest runs.',
  });
}

function datasetFinding({ dataset }: InputReport): Finding {
  const [first] = dataset.problems;
  const text = `${dataset.problems.length} rows of dataset ${dataset.name} were left out (${first?.place}: ${first?.problem})`;
  return { code: 'TG-I21', count: dataset.problems.length, text };
}

function findingsOf({ given, agents, malformed, otherFields, unknown }: SourceReport): Finding[] {
  const found: Finding[] = [
    {
      code: 'TG-I06',
      count: malformed.length,
      text: `${given}: ${malformed.length} unreadable (${malformed[0]?.place}: ${malformed[0]?.problem})`,
    },
    {
      code: 'TG-I07',
      count: otherFields.length,
      text: `${given}: ${otherFields.length} without the fields of a prediction (first: ${otherFields[0]?.place})`,
    },
    {
      code: 'TG-I09',
      count: unknown.length,
      text: `${given}: ${unknown.length} not in the dataset (first: ${unknown[0]?.instanceId}${hint(unknown[0]?.closest)})`,
    },
  ];
  for (const { agent, duplicates, fenced, prose, noDiff, missing, empty } of agents) {
    const withText = [...noDiff, ...prose, ...fenced];
    found.push(
      {
        code: 'TG-I08',
        count: duplicates.length,
        text: `${agent}: ${duplicates.length} occur more than once (first: ${duplicates[0]?.instanceId}, ${duplicates[0]?.places.join(' and ')})`,
      },
      {
        code: 'TG-I20',
        count: withText.length,
        text: `${agent}: ${withText.length} hold text that is no diff (first: ${withText[0]})`,
      },
      {
        code: 'TG-I10',
        count: missing.length + empty.length,
        text: `${agent}: ${missing.length} missing, ${empty.length} empty (first: ${missing[0] ?? empty[0]})`,
      },
    );
  }
  return found;
}

const hint = (closest: string | null | undefined): string => (closest ? `, perhaps ${closest}` : '');
