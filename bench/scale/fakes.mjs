// What costs no orchestration: repositories and executions. Plans, results, conversations and calls of the model are real.
import { callModel } from '../../dist/activities/model-call.js';
import { getJson, putJson, putText } from '../../dist/artifacts/values.js';

/** Updates until one separates, and looks into the repository before each. */
const UPDATES = Number(process.env.SCALE_UPDATES ?? 2);
const READS = Number(process.env.SCALE_READS ?? 3);
/** Characters of a first prompt, and of what a look into the repository brings. */
const PROMPT_CHARS = 24_000;
const READ_CHARS = 12_000;

const filler = (chars, seed) =>
  `${seed} def test_case(self): assert value == expected `.repeat(Math.ceil(chars / 48)).slice(0, chars);

/** Activities to put in the place of the real ones. */
export function fakeActivities({ services, settings }) {
  const { store } = services;
  const doc = (value) => putJson({ store, value });
  const ask = async ({ input, role, turn, messages }) => {
    const { runId, instance } = input;
    const request = { model: 'scale', messages, maxOutputTokens: 8192, temperature: null };
    const run = { runId, instance, settings };
    return callModel({ services, run, role, step: input.step, turn, request });
  };
  const conversationOf = (messages) => doc({ schema: 'testgrad.conversation/1', tools: [], messages });
  const score = (leaders, differential) => ({
    loss: differential ? 0 : 1,
    leaders,
    leaderLoss: leaders.length > 1 ? 1 : 0,
    unconfirmed: [],
    unjudged: [],
    counts: {
      rows: 40,
      uniform: 39,
      differential: differential ? 1 : 0,
      flaky: 0,
      weak: 0,
      evidence: differential ? 1 : 0,
    },
  });

  return {
    instanceOf: async (name) => doc({ name, of: 'scale' }),
    prepareInstance: async ({ runId }) => {
      const candidates = await Promise.all(
        ['A', 'B', 'C', 'D'].map(async (label, at) => ({
          ...{ kind: 'usable', id: `c${at + 1}`, agent: `agent-${at + 1}`, label, treeId: `${runId}-${at}` },
          ...{ sameAs: `c${at + 1}`, sourcePatch: await putText({ store, text: filler(2_000, label) }) },
          ...{ changedFiles: ['src/part.py'], setAside: [], added: 12, removed: 3 },
        })),
      );
      const suite = await doc({ suite: 0, runId });
      return { candidates, suite, baseTreeId: `${runId}-base`, warnings: [], prepared: await doc({ prepared: runId }) };
    },
    executeSuite: async ({ runId, column, suite, rerun }) => ({
      outcomes: await doc({ runId, column: column.id, suite: suite.digest, rerun, rows: filler(6_000, column.id) }),
      executed: 3,
      reused: 0,
    }),
    scoreSuite: async ({ runId, candidates, suite, judgements }) => {
      const { suite: step } = await getJson({ store, ref: suite });
      const isLast = step >= UPDATES;
      const unjudged = isLast && judgements === null ? ['row'] : [];
      const leaders = isLast && judgements !== null ? candidates.slice(0, 1) : candidates;
      const matrix = await doc({ schema: 'testgrad.matrix/1', step, runId, candidates, rows: [] });
      return { matrix, score: { ...score(leaders, isLast), unjudged }, confirm: { files: [], candidates: [] } };
    },
    optimizerTurn: async (input) => {
      const { runId, step, turn } = input;
      const before =
        input.conversation === null
          ? [
              { role: 'system', content: filler(6_000, 'You write tests.') },
              { role: 'user', content: filler(PROMPT_CHARS, `${runId} update ${step + 1}`) },
            ]
          : (await getJson({ store, ref: input.conversation })).messages;
      const results = await Promise.all(input.toolResults.map(({ result }) => getJson({ store, ref: result })));
      const messages = [...before, ...results.map(({ text }) => ({ role: 'user', content: text }))];
      const { answer, usage, stored } = await ask({ input, role: 'optimizer', turn, messages });
      const conversation = await conversationOf([
        ...messages,
        { role: 'assistant', content: answer.content, toolCalls: [] },
      ]);
      const end =
        turn <= READS
          ? { kind: 'tools', calls: [{ callId: `call-${turn}`, tool: 'read_file' }] }
          : { kind: 'submission', callId: 'update' };
      return { conversation, end, usage, stored };
    },
    readRepository: async ({ runId, callId, step }) => ({
      result: await doc({ text: filler(READ_CHARS, `${runId} ${step} ${callId}`) }),
      summary: 'read_file src/part.py',
    }),
    applyEdit: async ({ runId, step }) => ({
      ...{ kind: 'applied', suite: await doc({ suite: step + 1, runId }), changedFiles: ['tests/test_part.py'] },
      ...{
        operations: ['create tests/test_part.py::test_new'],
        diagnosis: 'Too weak.',
        failedDirection: 'the example',
      },
    }),
    mineMomentum: async ({ runId, step, memory }) => ({
      memory: [...memory, await doc({ failed: step, runId, text: filler(3_000, 'test') })],
      momentum: await doc({ momentum: step, runId }),
      ...{ tokens: 90, rawTokens: 2_000, patterns: 2 },
    }),
    judgeRows: async (input) => {
      const messages = [{ role: 'user', content: filler(9_000, `${input.runId} judge`) }];
      const { usage } = await ask({ input, role: 'judge', turn: 1, messages });
      return {
        judgements: await doc({ judged: input.runId }),
        conversation: await conversationOf(messages),
        usage,
        judged: 1,
      };
    },
    checkerTurn: async (input) => {
      const messages = [{ role: 'user', content: filler(16_000, `${input.runId} check`) }];
      const { usage } = await ask({ input, role: 'checker', turn: 1, messages });
      return {
        ...{ selectedId: 'c1', decidingTests: [], reason: 'It passes the test.', usable: true, passCounts: {} },
        ...{ conversation: await conversationOf(messages), usage },
      };
    },
    finishInstance: async ({ runId, decision }) => {
      const ref = await doc(decision);
      await store.bind({ kind: 'decision', key: runId, ref });
      return { decision: ref, runDir: '' };
    },
    releaseInstance: async () => ({ removed: 0 }),
  };
}

/** Calls of the model that an instance takes. */
export const CALLS_AN_INSTANCE = UPDATES * (READS + 1) + 2;
