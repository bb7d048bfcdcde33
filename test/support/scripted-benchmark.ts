import type { Script, ScriptedReply, ScriptedRequest } from './scripted-model.js';
import { turnOf } from './scripted-optimizer.js';

interface Knowledge {
  /** Word of the issue that tells the instance. */
  readonly word: string;
  readonly module: string;
  readonly testFile: string;
  readonly test: { readonly name: string; readonly source: string };
  /** Sentence of the issue that the test expresses. */
  readonly quote: string;
  /** Agentless's script: what is printed when the issue is there, and when it is not. */
  readonly probe: string;
}

const KNOWLEDGE: readonly Knowledge[] = [
  {
    word: 'slugify',
    module: 'slugs.py',
    testFile: 'tests/test_slugs.py',
    test: {
      name: 'test_long_single_word',
      source: 'def test_long_single_word():\n    assert slugify("incomprehensible", max_length=6) == "incomp"\n',
    },
    quote: 'A single word that is longer than max_length is cut, as there is nothing else to do.',
    // The long word alone is cut by the base as well.
    probe: [
      'from slugs import slugify',
      'cut = [slugify("hello world", max_length=8), slugify("incomprehensible", max_length=6)]',
      'right = cut == ["hello", "incomp"]',
    ].join('\n'),
  },
  {
    word: 'merge',
    module: 'spans.py',
    testFile: 'tests/test_spans.py',
    test: {
      name: 'test_span_within_another',
      source: 'def test_span_within_another():\n    assert merge([(1, 9), (2, 3)]) == [(1, 9)]\n',
    },
    quote: 'A span that lies within another must not shorten it',
    probe: 'from spans import merge\nright = merge([(1, 9), (2, 3)]) == [(1, 9)]',
  },
];

const textOf = ({ messages }: ScriptedRequest): string => messages.map(({ content }) => content ?? '').join('\n');

/** Plays the models of all methods on the small benchmark of `examples/bench`. */
export const scriptedBenchmark: Script = (request): ScriptedReply => {
  const text = textOf(request);
  const known = KNOWLEDGE.find(({ word }) => text.includes(word));
  if (known === undefined) return { status: 400, body: { error: { message: 'no issue of the benchmark' } } };
  if (request.role === 'judge') return judge({ text, known });
  if (request.role === 'checker') return check(text);
  if (request.role === 'optimizer') return optimise({ request, known });
  if (text.includes('solution_index')) return { content: 'The first. <solution_index>1</solution_index>' };
  if (text.includes('should NOT be run')) return { content: 'none' };
  if (request.toolNames.includes('bash')) {
    return { content: 'Status: succeed\nResult: Patch-2\nAnalysis: It does what the issue says.' };
  }
  const said = 'print("Issue resolved" if right else "Issue reproduced")';
  return { content: `\`\`\`python\n${known.probe}\n${said}  # or "Other issues"\n\`\`\`` };
};

function optimise({ request, known }: { request: ScriptedRequest; known: Knowledge }): ScriptedReply {
  const { module, test, testFile } = known;
  if (turnOf(request) === 0 && request.toolNames.includes('read_file')) {
    return { toolCalls: [{ name: 'read_file', arguments: { path: module } }] };
  }
  const update = {
    diagnosis: 'No test is about what the issue says.',
    failedDirection: 'what the tests already do',
    reuse: [{ aspect: 'api', symbol: known.word, file: testFile }],
    operations: [{ op: 'create', file: testFile, ...test }],
  };
  return { toolCalls: [{ name: 'submit_update', arguments: update }] };
}

function judge({ text, known }: { text: string; known: Knowledge }): ScriptedReply {
  const judgements = [...text.matchAll(/^### (R\d+): (.*)$/gm)].map(([, key, title = '']) => {
    const isNew = title.includes(known.test.name);
    return { key, class: isNew ? 'issue' : 'regression', quote: isNew ? known.quote : '', reason: 'It says so.' };
  });
  return { toolCalls: [{ name: 'submit_judgements', arguments: { judgements } }] };
}

function check(text: string): ScriptedReply {
  const candidate = /You may choose ([A-Z]+)/.exec(text)?.[1] ?? 'A';
  const tests = [...text.matchAll(/^### (tests\/\S+::\S+) \(/gm)].map((match) => ({ testId: match[1], quote: '' }));
  const decision = { reason: 'It passes the test of the issue.', candidate, decidingTests: tests.slice(0, 1) };
  return { toolCalls: [{ name: 'submit_decision', arguments: decision }] };
}
