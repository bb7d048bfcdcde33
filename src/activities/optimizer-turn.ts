import { getText } from '../artifacts/values.js';
import { partsOf } from '../core/ablation.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { ChatMessage } from '../core/chat.js';
import { representatives } from '../core/loop-state.js';
import type { Matrix } from '../core/matrix.js';
import type { ChatAnswer } from '../llm/chat.js';
import { cutMessage, LAST_TURN_MESSAGE, noCallMessage } from '../methods/testgrad/corrections.js';
import { equalReason } from '../methods/testgrad/equal-reason.js';
import {
  type OptimizerTool,
  optimizerToolNames,
  optimizerTools,
  parseToolCall,
} from '../methods/testgrad/optimizer-tools.js';
import type { OptimizerTurnInput, OptimizerTurnResult, TurnEnd } from './contract.js';
import { lastCalls, withAnswer } from './conversation.js';
import { type Conversation, getDocument, type Prepared, putDocument } from './documents.js';
import { callModel } from './model-call.js';
import { firstMessages } from './optimizer-subject.js';
import type { Services } from './services.js';

// An answer with more is one that has lost its way; each would cost an activity and room in the context.
const CALLS_AT_MOST = 8;

// Before this many failed updates the leaders do not count as tried: one where evidence has formed the lead already.
const FAILED_BEFORE_EQUAL = { noEvidence: 2, evidence: 1 };

/** The optimizer's tools in this turn; `candidates` is how many columns the matrix has. */
function toolsOfTurn({ input, candidates }: { input: OptimizerTurnInput; candidates: number }): OptimizerTool[] {
  const { extensions } = input.settings;
  const lead = input.leaders.length;
  const needed = lead < candidates ? FAILED_BEFORE_EQUAL.evidence : FAILED_BEFORE_EQUAL.noEvidence;
  return optimizerToolNames({
    showCandidates: extensions.showCandidates,
    mayRead: partsOf(input.settings).read,
    mayDeclareEqual: extensions.separateLeaders && lead > 1 && input.failedInLead >= needed,
    mustSubmit: input.lastTurn,
  });
}

/** One LLM turn of a backward pass. The conversation lives in the store; only its reference travels. */
export async function optimizerTurn({
  services,
  input,
}: {
  services: Services;
  input: OptimizerTurnInput;
}): Promise<OptimizerTurnResult> {
  const { store } = services;
  const { settings } = input;
  const { candidates } = await getDocument<Matrix>({ store, ref: input.matrix });
  const allowed = toolsOfTurn({ input, candidates: candidates.length });
  const tools = optimizerTools(allowed, partsOf(settings));
  const earlier =
    input.conversation === null ? null : await getDocument<Conversation>({ store, ref: input.conversation });
  const messages =
    earlier === null
      ? await firstMessages({ services, input })
      : await continued({ services, input, earlier, allowed });
  const { answer, usage, stored } = await callModel({
    services,
    run: input,
    role: 'optimizer',
    step: input.step + 1,
    turn: input.turn,
    request: {
      model: settings.model,
      messages,
      tools,
      maxOutputTokens: settings.maxOutputTokens,
      temperature: settings.temperature,
    },
  });
  const conversation = withAnswer({ tools, messages, answer });
  const end = turnEnd({ answer, allowed, earlier, last: input.lastTurn });
  return {
    conversation: await putDocument({ store, value: conversation }),
    end: end.kind === 'equal' ? { ...end, reason: await forPeople({ services, input, reason: end.reason }) } : end,
    usage,
    stored,
  };
}

/** The conversation with the results of the last calls, or a correction where there was no call. */
async function continued({
  services,
  input,
  earlier,
  allowed,
}: {
  services: Services;
  input: OptimizerTurnInput;
  earlier: Conversation;
  allowed: readonly OptimizerTool[];
}): Promise<ChatMessage[]> {
  const results = new Map<string, ArtifactRef>(input.toolResults.map(({ callId, result }) => [callId, result]));
  const calls = lastCalls(earlier);
  const submitted = calls.some(({ name }) => name === 'submit_update');
  const notRun = submitted ? 'Not run: the update came first.' : `Not run: at most ${CALLS_AT_MOST} calls an answer.`;
  const answers = await Promise.all(
    calls.map(async ({ id }): Promise<ChatMessage> => {
      const ref = results.get(id);
      // Endpoints refuse a conversation in which a call has no result.
      const content = ref === undefined ? notRun : await getText({ store: services.store, ref });
      return { role: 'tool', callId: id, content };
    }),
  );
  const notes = [
    ...(calls.length === 0 ? [noCallMessage(allowed)] : []),
    ...(input.lastTurn ? [LAST_TURN_MESSAGE] : []),
  ].map((content): ChatMessage => ({ role: 'user', content }));
  return [...earlier.messages, ...answers, ...notes];
}

function turnEnd({
  answer,
  allowed,
  earlier,
  last,
}: {
  answer: ChatAnswer;
  allowed: readonly OptimizerTool[];
  earlier: Conversation | null;
  last: boolean;
}): TurnEnd {
  const calls = answer.toolCalls;
  if (calls.length === 0) {
    const again = earlier !== null && lastCalls(earlier).length === 0;
    if (again || last) return { kind: 'unusable', reason: noUse(answer) };
    return { kind: 'tools', calls: [] };
  }
  const submission = calls.find(({ name }) => name === 'submit_update');
  if (submission !== undefined) return { kind: 'submission', callId: submission.id };
  for (const call of calls) {
    const parsed = parseToolCall({ name: call.name, argumentsText: call.argumentsText, allowed });
    if (parsed.kind === 'call' && parsed.name === 'declare_equal') {
      return { kind: 'equal', callId: call.id, reason: parsed.arguments.reason };
    }
  }
  const run = calls.slice(0, CALLS_AT_MOST);
  return { kind: 'tools', calls: run.map(({ id, name }) => ({ callId: id, tool: name.slice(0, 40) })) };
}

function noUse(answer: ChatAnswer): string {
  return answer.finishReason === 'length'
    ? cutMessage(answer.usage.outputTokens)
    : 'The model answered twice without calling a tool.';
}

async function forPeople({
  services,
  input,
  reason,
}: {
  services: Services;
  input: OptimizerTurnInput;
  reason: string;
}): Promise<string> {
  const { candidates } = await getDocument<Prepared>({ store: services.store, ref: input.prepared });
  return equalReason({ reason, candidates: representatives(candidates) });
}
