import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editSuite } from '../../src/activities/edit-suite.js';
import { rebuildSuite } from '../../src/activities/rebuild-suite.js';
import type { Services } from '../../src/activities/services.js';
import { createMemoryStore } from '../../src/artifacts/memory-store.js';
import type { InstanceSpec } from '../../src/core/instance.js';
import type { Operation, Suite } from '../../src/core/suite.js';
import { functionSource, type PythonFile, pythonFile } from '../source/python-files.js';

const FILE = 'tests/test_x.py';
const NEW_FILE = 'tests/test_new.py';
const TABLE = 'tests/test_rows.py';
const ROWS = '@parametrize("a", [\n    0,\n    1,\n    2,\n])\ndef test_rows(a):\n    assert a\n';

type Step = {
  readonly op: 'create' | 'update' | 'delete' | 'row' | 'new';
  readonly pick: number;
  readonly seed: number;
};
const steps = fc.array(
  fc.record({
    op: fc.constantFrom('create' as const, 'update' as const, 'delete' as const, 'row' as const, 'new' as const),
    pick: fc.nat(),
    seed: fc.nat(1000),
  }),
  { minLength: 1, maxLength: 5 },
);

/** An operation on what is there or was there before; some are refused, as a model's are. */
function operationFor({ step, index, file }: { step: Step; index: number; file: PythonFile }): Operation {
  const { op, pick, seed } = step;
  const created = [`test_new_${index - 1}`, `test_new_${index - 2}`];
  const names = [...file.chunks.map(({ name }) => name), ...created];
  const target = names[pick % names.length] ?? '';
  const source = functionSource({ name: target.split('::').at(-1) ?? '', inClass: target.includes('::'), seed });
  const name = `test_new_${index}`;
  const made = functionSource({ name, inClass: false, seed });
  const imports = seed % 2 === 0 ? [] : [`from a import n${seed % 3}`];
  switch (op) {
    case 'create':
      return { op, file: FILE, name, source: made, imports };
    case 'new':
      return { op: 'create', file: NEW_FILE, name, source: made, imports };
    case 'update':
      return { op, file: FILE, test: target, source, imports, staleBecause: '' };
    case 'delete':
      return { op, file: FILE, test: target, obsoleteBecause: '' };
    case 'row': {
      const row = `test_rows[${pick % 3}]`;
      return seed % 3 === 0
        ? { op: 'delete', file: TABLE, test: row, obsoleteBecause: '' }
        : { op: 'update', file: TABLE, test: row, source: `${(pick + 1) % 4}`, staleBecause: '' };
    }
  }
}

test('every state of a suite is made anew from the base and its updates, byte for byte, and so undone', async () => {
  await fc.assert(
    fc.asyncProperty(pythonFile, steps, async (generated, plan) => {
      const store = createMemoryStore();
      const services = { store } as unknown as Services;
      const base = new Map([
        [FILE, Buffer.from(generated.text)],
        [TABLE, Buffer.from(ROWS)],
      ]);
      const testFiles = [FILE, TABLE];
      const subject = {
        instance: { environment: { runner: 'pytest' } } as InstanceSpec,
        base: { text: async () => null, bytes: async (path: string) => base.get(path) ?? null },
      };
      const first: Suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [], testFiles };
      const states = [first];
      for (const [index, step] of plan.entries()) {
        const suite = states.at(-1) ?? first;
        const operations = [operationFor({ step, index, file: generated })];
        const edit = { diagnosis: '', failedDirection: '', reuse: [], operations };
        const edited = await editSuite({ services, subject: { ...subject, suite }, edit, step: index + 1 });
        if (edited.kind === 'edited') states.push(edited.suite);
      }
      const last = states.at(-1) ?? first;
      for (const state of states) {
        const rebuilt = await rebuildSuite({
          services,
          subject: { ...subject, suite: last },
          testFiles,
          step: state.step,
        });
        expect(rebuilt).toEqual(state);
      }
    }),
    { numRuns: 60 },
  );
});

test('an update that the base does not take any more is named', async () => {
  const operations: Operation[] = [{ op: 'delete', file: FILE, test: 'test_gone', obsoleteBecause: '' }];
  const suite: Suite = {
    ...{ schema: 'testgrad.suite/1', step: 3, files: {}, changed: [], testFiles: [FILE] },
    edits: [{ diagnosis: '', failedDirection: '', reuse: [], operations, step: 3 }],
  };
  const subject = {
    suite,
    instance: { environment: { runner: 'pytest' } } as InstanceSpec,
    base: { text: async () => null, bytes: async () => Buffer.from('x = 1\n') },
  };
  const services = { store: createMemoryStore() } as unknown as Services;
  const rebuild = (step: number) => rebuildSuite({ services, subject, testFiles: [FILE], step });
  await expect(rebuild(3)).rejects.toThrow(/Update 3 .*no `test_gone`/);
  expect(await rebuild(2)).toMatchObject({ step: 0, edits: [], testFiles: [FILE] });
});
