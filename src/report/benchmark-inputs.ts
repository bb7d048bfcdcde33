import type { AgentReport, InputReport, SourceReport } from '../swebench/predictions/input-report.js';
import { fill, hanging, widthOf } from './columns.js';
import { safeLine } from './safe-text.js';

/** Ids and places that are named of each kind; the report itself lists all. */
const MAX_NAMED = 5;

const HEADS = ['patches', 'missing', 'empty', 'double', 'fenced', 'with text', 'no diff'] as const;

/**
 * What was found in the inputs of a benchmark, for a terminal of so many columns: a line an agent in the order that
 * defines N, then what is wrong with the first ids of each kind, then how many candidates instances have.
 */
export function renderInputReport({ report, columns }: { report: InputReport; columns: number }): string {
  const { dataset, sources } = report;
  const revision = dataset.revision === null ? '' : ` at ${dataset.revision.slice(0, 12)}`;
  const first = `Dataset ${dataset.name}${revision}, split ${dataset.split}: ${dataset.instances} instances`;
  const scored = dataset.gradable === dataset.instances ? '' : `, ${dataset.gradable} of them can be scored`;
  const lines = [
    ...hanging({ first: ' ', text: safeLine(`${first}${scored}.`), columns }),
    '',
    ...agentLines({ agents: sources.flatMap(({ agents }) => agents), columns }),
    '',
  ];
  const findings = [datasetFinding(report), ...sources.flatMap(sourceFindings)].filter((finding) => finding !== '');
  for (const finding of findings) lines.push(...hanging({ first: ' ! ', text: safeLine(finding), columns }));
  if (findings.length > 0) lines.push('');
  lines.push(...hanging({ first: ' ', text: safeLine(instancesText(report)), columns }));
  return `${lines.join('\n')}\n`;
}

function agentLines({ agents, columns }: { agents: readonly AgentReport[]; columns: number }): string[] {
  const fixed = HEADS.reduce((sum, head) => sum + widthOf(head) + 2, 0) + 6;
  const names = agents.map(({ agent }) => safeLine(agent));
  const width = Math.max(8, Math.min(Math.max(5, ...names.map(widthOf)), columns - fixed));
  const line = (number: string, name: string, cells: readonly string[]): string =>
    ` ${number.padStart(3)}  ${fill({ text: name, columns: width })}${cells
      .map((cell, index) => `  ${cell.padStart(widthOf(HEADS[index] ?? ''))}`)
      .join('')}`.trimEnd();
  return [
    line('N', 'agent', HEADS),
    ...agents.map((agent, index) =>
      line(String(index + 1), names[index] ?? '', [
        String(agent.patches),
        ...[agent.missing, agent.empty, agent.duplicates, agent.fenced, agent.prose, agent.noDiff].map((list) =>
          list.length === 0 ? '-' : String(list.length),
        ),
      ]),
    ),
  ];
}

function datasetFinding({ dataset }: InputReport): string {
  const places = dataset.problems.map(({ place, instanceId, problem }) => `${instanceId ?? place} (${problem})`);
  return places.length === 0 ? '' : `dataset: ${places.length} left out: ${named(places)}.`;
}

function sourceFindings({ given, agents, malformed, otherFields, unknown, notChosen }: SourceReport): string[] {
  const bad = malformed.map(({ place, problem }) => `${place} (${problem})`);
  const other = otherFields.map(({ place, fields }) => `${place} (${fields.join(', ')})`);
  const foreign = unknown.map(({ instanceId, closest }) =>
    closest === null ? instanceId : `${instanceId} (perhaps ${closest})`,
  );
  return [
    bad.length === 0 ? '' : `${given}: ${bad.length} unreadable: ${named(bad)}.`,
    other.length === 0 ? '' : `${given}: ${other.length} without the fields of a prediction: ${named(other)}.`,
    foreign.length === 0 ? '' : `${given}: ${foreign.length} not in the dataset: ${named(foreign)}.`,
    ...agents.flatMap(agentFindings),
    notChosen === 0 ? '' : `${given}: ${notChosen} for instances that were not chosen.`,
  ];
}

function agentFindings({ agent, missing, empty, duplicates, fenced, prose, noDiff }: AgentReport): string[] {
  const twice = duplicates.map(
    ({ instanceId, places, same }) => `${instanceId} (${places.join(', ')}${same ? ', all the same' : ''})`,
  );
  return [
    missing.length === 0 ? '' : `${agent}: no prediction for ${missing.length}: ${named(missing)}.`,
    empty.length === 0 ? '' : `${agent}: ${empty.length} empty: ${named(empty)}.`,
    twice.length === 0 ? '' : `${agent}: ${twice.length} more than once, the last counts: ${named(twice)}.`,
    fenced.length === 0 ? '' : `${agent}: ${fenced.length} in a Markdown fence, which is left out: ${named(fenced)}.`,
    prose.length === 0
      ? ''
      : `${agent}: ${prose.length} with text around the diff, which is left out: ${named(prose)}.`,
    noDiff.length === 0 ? '' : `${agent}: ${noDiff.length} without a diff, they take no part: ${named(noDiff)}.`,
  ];
}

function instancesText({ instances, sources }: InputReport): string {
  const agents = sources.reduce((sum, source) => sum + source.agents.length, 0);
  const parts = [
    `${instances.complete} with a patch of ${agents === 1 ? 'the agent' : `all ${agents} agents`}`,
    instances.partial === 0 ? '' : `${instances.partial} with fewer`,
    instances.none.length === 0 ? '' : `${instances.none.length} with none (${named(instances.none)})`,
    instances.identical === 0 ? '' : `${instances.identical} where all patches are the same bytes`,
  ].filter((part) => part !== '');
  return `${instances.chosen} instances to run: ${parts.join(', ')}.`;
}

function named(items: readonly string[]): string {
  const shown = items.slice(0, MAX_NAMED).join(', ');
  return items.length <= MAX_NAMED ? shown : `${shown} and ${items.length - MAX_NAMED} more`;
}
