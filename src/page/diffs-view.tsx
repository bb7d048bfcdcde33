import { counted } from '../core/counted.js';
import type { CandidateDiff, FileDiffs, PageCandidate } from '../report/page-data.js';
import { DiffLines, Fold } from './parts.js';

/** Candidates' diffs side by side, file by file; what only one of them changes stands out, what they share is folded. */
export function DiffsView({
  diffs,
  candidates,
}: {
  diffs: readonly FileDiffs[];
  candidates: readonly PageCandidate[];
}) {
  return (
    <>
      <p class="note">
        <span class="only-key">◆</span> marks a line that this candidate alone adds or removes. Candidates' own test
        changes are left out, as they were put back before the tests ran.
      </p>
      {diffs.map(({ path, candidates: own }) => (
        <div key={path}>
          <h3>
            <code>{path}</code>{' '}
            <span class="dim">{own.length === 1 ? 'one candidate' : `${own.length} candidates`}</span>
          </h3>
          <div class="side">
            {own.map((diff) => (
              <OneDiff key={diff.id} diff={diff} candidate={candidates.find(({ id }) => id === diff.id)} />
            ))}
          </div>
        </div>
      ))}
    </>
  );
}

function OneDiff({ diff, candidate }: { diff: CandidateDiff; candidate: PageCandidate | undefined }) {
  const only = diff.hunks.flatMap(({ lines }) => lines).filter((line) => line.only).length;
  const state = candidate?.selected ? '▸ selected' : candidate?.leader ? 'in the lead' : '';
  return (
    <article class={candidate?.selected ? 'one selected' : 'one'}>
      <h4>
        {candidate?.agent ?? diff.id} <span class="over">{state}</span>{' '}
        <span class="dim">
          {candidate?.sameAs ? `same change as ${candidate.sameAs}` : `${counted(only, 'line')} of its own`}
        </span>
      </h4>
      {diff.hunks.map(({ head, lines, common }) => {
        const all = [{ sign: ' ' as const, text: head, only: false }, ...lines];
        return common ? (
          <Fold key={head} title={`${head} shared with others`}>
            {() => <DiffLines lines={all} />}
          </Fold>
        ) : (
          <DiffLines key={head} lines={all} />
        );
      })}
    </article>
  );
}
