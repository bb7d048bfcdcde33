import { getText } from '../artifacts/values.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { ChatMessage } from '../core/chat.js';
import type { ChatAnswer } from '../llm/chat.js';
import { cutMessage, LAST_TURN_MESSAGE, noCallMessage } from '../methods/testgrad/corrections.js';
import {
  type OptimizerTool,
  optimizerToolNames,
  optimizerTools,
  parseToolCall,
} from '../methods/testgrad/optimizer-tools.js';
import type { OptimizerTurnInput, OptimizerTurnResult, TurnEnd } from './contract.js';
import { lastCalls, withAnswer } from './conversation.js';
import { type Conversation, getDocument, putDocument } from './documents.js';
import { callModel } from './model-call.js';
import { firstMessages } from './optimizer-subject.js';
import type { Services } from './services.js';

// The leaders count as tried after this many failed updates; earlier the tool is not on offer.
const FAILED_BEFORE_EQUAL = 2;

/** The optimizer's tools in this turn. */
export function toolsOfTurn(input: OptimizerTurnInput): OptimizerTool[] {
  const { extensions } = input.settings;
  return optimizerToolNames({
    showCandidates: extensions.showCandidates,
    mayDeclareEqual:
      extensions.separateLeaders && input.leaders.length > 1 && input.failedInLead >= FAILED_BEFORE_EQUAL,
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
  const allowed = toolsOfTurn(input);
  const tools = optimizerTools(allowed);
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
  return {
    conversation: await putDocument({ store, value: conversation }),
    end: turnEnd({ answer, allowed, earlier, last: input.lastTurn }),
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
  const answers = await Promise.all(
    calls.map(async ({ id }): Promise<ChatMessage> => {
      const ref = results.get(id);
      // Endpoints refuse a conversation in which a call has no result.
      const content =
        ref === undefined ? 'Not run: the update came first.' : await getText({ store: services.store, ref });
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
      return { kind: 'equal', callId: call.id, reason: parsed.arguments.reason.slice(0, 500) };
    }
  }
  return { kind: 'tools', calls: calls.map(({ id, name }) => ({ callId: id, tool: name.slice(0, 40) })) };
}

function noUse(answer: ChatAnswer): string {
  return answer.finishReason === 'length'
    ? cutMessage(answer.usage.outputTokens)
    : 'The model answered twice without calling a tool.';
}
