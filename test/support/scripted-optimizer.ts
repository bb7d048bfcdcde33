import type { Operation } from '../../src/core/suite.js';
import type { Script, ScriptedReply, ScriptedRequest } from './scripted-model.js';

const test = (name: string, line: string): Operation => ({
  op: 'create',
  file: 'tests/test_slugs.py',
  name,
  source: `def ${name}():\n    ${line}\n`,
});

/**
 * Updates for the mini project, by step: two that separate nothing and share a statement's shape, then one on which
 * \`example-only\` fails.
 */
export const MINI_UPDATES: readonly (readonly Operation[])[] = [
  [
    {
      op: 'create',
      file: 'tests/test_slugs.py',
      name: 'test_example_of_the_issue',
      source:
        'def test_example_of_the_issue():\n    slug = slugify("hello world", max_length=8)\n    assert slug == "hello"\n',
    },
  ],
  [
    {
      op: 'create',
      file: 'tests/test_slugs.py',
      name: 'test_example_again',
      source: 'def test_example_again():\n    cut = slugify("hello world", max_length=8)\n    assert "wo" not in cut\n',
    },
  ],
  [test('test_long_single_word', 'assert slugify("incomprehensible", max_length=6) == "incomp"')],
];

const messageOf = (request: ScriptedRequest): string => request.messages.map(({ content }) => content ?? '').join('\n');

/** The step whose update is asked for, from the prompt. */
export const stepOf = (request: ScriptedRequest): number =>
  Number(/This is update (\d+) of/.exec(messageOf(request))?.[1] ?? 0);

/** Assistant messages so far: 0 on the first turn. */
export const turnOf = (request: ScriptedRequest): number =>
  request.messages.filter(({ role }) => role === 'assistant').length;

/**
 * A model that plays a whole run, by default on the mini project: it reads a file, then submits the update of the step;
 * judges every row as required by a sentence of the issue; and chooses the first candidate that may be chosen.
 */
export function scriptedRun({
  updates = MINI_UPDATES,
  path = 'slugs.py',
  quote = 'A single word that is longer than max_length is cut',
}: {
  updates?: readonly (readonly Operation[])[];
  path?: string;
  quote?: string;
} = {}): Script {
  return (request): ScriptedReply => {
    if (request.role === 'judge') return judge({ request, quote });
    if (request.role === 'checker') return check(request);
    if (turnOf(request) === 0) return { toolCalls: [{ name: 'read_file', arguments: { path } }] };
    const operations = updates[stepOf(request) - 1] ?? [
      test(`test_step_${stepOf(request)}`, 'assert slugify("a") == "a"'),
    ];
    return {
      toolCalls: [
        {
          name: 'submit_update',
          arguments: {
            diagnosis: 'The tests only use short words.',
            failedDirection: 'the example of the issue',
            reuse: [{ aspect: 'api', symbol: 'slugify', file: 'tests/test_slugs.py' }],
            operations,
          },
        },
      ],
    };
  };
}

function judge({ request, quote }: { request: ScriptedRequest; quote: string }): ScriptedReply {
  const keys = [...messageOf(request).matchAll(/^### (R\d+):/gm)].map((match) => match[1]);
  const judgements = keys.map((key) => ({ key, class: 'issue', quote, reason: 'The issue says so.' }));
  return { toolCalls: [{ name: 'submit_judgements', arguments: { judgements } }] };
}

function check(request: ScriptedRequest): ScriptedReply {
  const text = messageOf(request);
  const candidate = /You may choose ([A-Z]+)/.exec(text)?.[1] ?? 'A';
  const tests = [...text.matchAll(/^### (\S+::\S+) \(/gm)].map((match) => ({ testId: match[1], quote: '' }));
  return {
    toolCalls: [
      {
        name: 'submit_decision',
        arguments: { reason: 'It passes the test of the issue.', candidate, decidingTests: tests.slice(0, 1) },
      },
    ],
  };
}
