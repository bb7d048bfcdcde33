import type { MatrixRow } from '../core/matrix.js';
import { rowKey } from '../core/row.js';
import { groupsOfOneTest } from '../core/row-groups.js';
import { type JudgedRow, judgeMessages, judgeTool, parseJudgements } from '../methods/testgrad/judge.js';
import { unlabelledFailures } from '../methods/testgrad/row-facts.js';
import { askOnce } from './ask-once.js';
import type { JudgeRowsInput, JudgeRowsResult } from './contract.js';
import { getDocument, type Judgements, putDocument } from './documents.js';
import type { Services } from './services.js';
import { testSource } from './suite-view.js';
import { testDefinitions } from './test-definitions.js';
import { type LoadedSubject, loadSubject } from './turn-subject.js';

// More rows in one context are judged worse; what is left over stays unjudged and is no evidence.
const ROWS_AT_MOST = 24;
const FAILURE_CHARS = 1000;

/**
 * Has the differential rows that have no judgement yet judged against the issue, in one call (two when the first answer
 * is unusable). The judge sees neither the candidates nor who passes.
 *
 * Rows of one test that differ in the same way, over its parameters or the classes that inherit it, are judged once.
 */
export async function judgeRows({
  services,
  input,
}: {
  services: Services;
  input: JudgeRowsInput;
}): Promise<JudgeRowsResult> {
  const { store } = services;
  const known = input.judgements === null ? {} : await getDocument<Judgements>({ store, ref: input.judgements });
  const subject = await loadSubject({ services, input });
  const groups = (await groupsToJudge({ services, subject })).slice(0, ROWS_AT_MOST);
  const rows = await Promise.all(groups.map((group) => judgedRow({ services, subject, group })));
  const { issue } = subject.instance;
  const { parsed, usage, conversation } = await askOnce({
    services,
    run: input,
    role: 'judge',
    step: input.step,
    tool: judgeTool(),
    messages: judgeMessages({ issue, rows }),
    parse: (argumentsText) => parseJudgements({ argumentsText, rows, issue }),
  });
  const judged = parsed?.kind === 'judged' ? parsed.judgements : {};
  const spread = groups.flatMap((group) => {
    const judgement = judged[keyOf(group)];
    return judgement === undefined ? [] : group.map((row) => [rowKey(row), judgement] as const);
  });
  const judgements: Judgements = { ...known, ...Object.fromEntries(spread) };
  return {
    judgements: await putDocument({ store, value: judgements }),
    conversation: await putDocument({ store, value: conversation }),
    usage,
    judged: spread.length,
  };
}

const keyOf = (group: readonly MatrixRow[]): string => rowKey(group[0] as MatrixRow);

async function groupsToJudge({
  services,
  subject,
}: {
  services: Services;
  subject: LoadedSubject;
}): Promise<MatrixRow[][]> {
  const { matrix, suite, base } = subject;
  const rows = matrix.rows.filter((row) => row.kind === 'differential' && row.judgement === null);
  const definitionOf = await testDefinitions({ services, suite, base, rows });
  // Tests that an update wrote were made to separate; originals that differ besides come after them.
  const written = (group: readonly MatrixRow[]): number => (group[0]?.origin === 'original' ? 1 : 0);
  return groupsOfOneTest({ rows, suite, definitionOf }).sort((a, b) => written(a) - written(b));
}

async function judgedRow({
  services,
  subject,
  group,
}: {
  services: Services;
  subject: LoadedSubject;
  group: readonly MatrixRow[];
}): Promise<JudgedRow> {
  const row = group[0] as MatrixRow;
  return {
    key: keyOf(group),
    testId: row.testId,
    origin: row.origin,
    source: await testSource({ services, suite: subject.suite, base: subject.base, testId: row.testId }),
    base: row.base.status,
    failures: unlabelledFailures({ row, maxChars: FAILURE_CHARS }),
  };
}
