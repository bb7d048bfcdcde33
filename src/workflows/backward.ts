import type { ApplyEditResult, OptimizerTurnResult, TurnSubject } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { ColumnSpec } from '../core/loop-state.js';
import type { Usage } from '../core/usage.js';
import type { CallActivity } from './activities.js';
import { together } from './together.js';

export interface BackwardInput {
  readonly call: CallActivity;
  readonly subject: TurnSubject;
  readonly columns: readonly ColumnSpec[];
  /** Tokens still to spend; asked before every turn, because operators may change the budget. */
  readonly tokensLeft: () => number;
  readonly onTurn: (turn: number) => void;
  readonly onUsage: (usage: Usage) => void;
}

/** How one backward pass ended. */
export type BackwardResult = {
  readonly conversation: ArtifactRef | null;
  readonly refusals: readonly string[];
} & (
  | { readonly kind: 'applied'; readonly edit: Extract<ApplyEditResult, { kind: 'applied' }> }
  | { readonly kind: 'equal'; readonly reason: string }
  /** No update came of it: refused too often, unusable answers, or turns used up. */
  | { readonly kind: 'failed'; readonly reason: string; readonly direction: string }
  | { readonly kind: 'tokens' }
);

/**
 * The backward pass of the method: the optimizer reads in the repository, one activity a turn and one a tool call,
 * until it submits one CRUD update that can be applied.
 */
export async function backwardPass(input: BackwardInput): Promise<BackwardResult> {
  const { call, subject, columns } = input;
  const { maxTurns, maxRefusals } = subject.settings;
  const step = subject.step + 1;
  const refusals: string[] = [];
  let conversation: ArtifactRef | null = null;
  let toolResults: readonly { callId: string; result: ArtifactRef }[] = [];

  for (let turn = 1; turn <= maxTurns; turn += 1) {
    if (input.tokensLeft() <= 0) return { kind: 'tokens', conversation, refusals };
    input.onTurn(turn);
    const answer: OptimizerTurnResult = await call({
      activity: 'optimizerTurn',
      input: { ...subject, turn, conversation, toolResults, lastTurn: turn === maxTurns },
      summary: `y${step}: optimizer turn ${turn}`,
    });
    conversation = answer.conversation;
    input.onUsage(answer.usage);
    const spoken: ArtifactRef = answer.conversation;

    switch (answer.end.kind) {
      case 'unusable':
        return { kind: 'failed', reason: answer.end.reason, direction: '', conversation, refusals };
      case 'equal':
        return { kind: 'equal', reason: answer.end.reason, conversation, refusals };
      case 'tools':
        toolResults = await together(
          answer.end.calls.map(({ callId, tool }) => async () => {
            const read = await call({
              activity: 'readRepository',
              input: { ...subject, conversation: spoken, callId },
              summary: `y${step}: ${tool}`,
            });
            return { callId, result: read.result };
          }),
        );
        break;
      case 'submission': {
        const { callId } = answer.end;
        const edit = await call({
          activity: 'applyEdit',
          input: { ...subject, conversation: spoken, callId, columns },
          summary: `y${step}: apply the update`,
        });
        if (edit.kind === 'applied') return { kind: 'applied', edit, conversation, refusals };
        refusals.push(edit.reason);
        if (refusals.length > maxRefusals) {
          return { kind: 'failed', reason: edit.reason, direction: edit.direction, conversation, refusals };
        }
        toolResults = [{ callId, result: edit.result }];
        break;
      }
    }
  }
  const reason = `No update after ${maxTurns} turns.`;
  return { kind: 'failed', reason, direction: '', conversation, refusals };
}
