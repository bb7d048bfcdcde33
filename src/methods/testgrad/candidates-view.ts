import type { UsableCandidate } from '../../core/candidate.js';
import { passCountsOf } from '../../core/fallback.js';
import { type Labels, labelOf } from '../../core/labels.js';
import type { Matrix } from '../../core/matrix.js';

const FILES_AT_MOST = 12;

type Shown = Pick<UsableCandidate, 'label' | 'changedFiles' | 'added' | 'removed'>;

/** One line a candidate: its label, the size of its change and the files it touches. Nothing tells who wrote it. */
export function renderCandidates(candidates: readonly Shown[]): string {
  return byLabel(candidates.map(({ label }) => label))
    .map((label) => candidates.find((candidate) => candidate.label === label) as Shown)
    .map(({ label, changedFiles, added, removed }) => {
      const more = changedFiles.length > FILES_AT_MOST ? `, … ${changedFiles.length - FILES_AT_MOST} more` : '';
      return `${label}: +${added} -${removed} in ${changedFiles.slice(0, FILES_AT_MOST).join(', ')}${more}`;
    })
    .join('\n');
}

/** Who is in the lead and who is not, by label. `ids` are the candidates of the matrix. */
export function renderLeaders({
  leaders,
  ids,
  labels,
}: {
  leaders: readonly string[];
  ids: readonly string[];
  labels: Labels;
}): string {
  const names = (of: readonly string[]) => byLabel(of.map((id) => labelOf({ labels, id }))).join(', ');
  const behind = ids.filter((id) => !leaders.includes(id));
  if (behind.length === 0) return `In the lead: all candidates (${names(ids)}); none fails a row that is evidence.`;
  return `In the lead: ${names(leaders)}. Behind, as evidence speaks against them: ${names(behind)}.`;
}

/** How many tests each candidate passes, by label. */
export function renderPassCounts({ matrix, labels }: { matrix: Matrix; labels: Labels }): string {
  const counts = new Map(
    Object.entries(passCountsOf(matrix)).map(([id, count]) => [labelOf({ labels, id }), count] as const),
  );
  const said = byLabel([...counts.keys()]).map((label) => `${label} ${counts.get(label)}`);
  return `Passed tests: ${said.join(', ')}.`;
}

const byLabel = (labels: readonly string[]): string[] =>
  [...labels].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
