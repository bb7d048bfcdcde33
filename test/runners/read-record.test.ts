import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProcessExit } from '../../src/runners/read-record.js';
import { readRecord } from '../../src/runners/read-record.js';
import { statuses } from '../support/test-files.js';

const FILE = 'tests/test_it.py';
const id = (name: string) => `${FILE}::${name}`;
const line = (fields: Record<string, unknown>) => `${JSON.stringify(fields)}\n`;
const phase = (name: string, when: string, outcome: string, more: Record<string, unknown> = {}) =>
  line({ k: 'phase', id: id(name), when, outcome, xfail: false, sub: false, ms: 1, message: '', ...more });
const begin = (name: string) => line({ k: 'begin', id: id(name) });
const end = (name: string) => line({ k: 'end', id: id(name) });
const passing = (name: string) =>
  [
    begin(name),
    phase(name, 'setup', 'passed'),
    phase(name, 'call', 'passed'),
    phase(name, 'teardown', 'passed'),
    end(name),
  ].join('');
const collected = (...names: string[]) => line({ k: 'collected', ids: names.map(id) });
const START = line({ k: 'start', python: '3.11.7', runner: 'pytest 8.4.2' });
const finish = (status = 0) => line({ k: 'finish', status });

const read = ({
  text,
  exit = { kind: 'exited', code: 0 },
  stderr = '',
  stdout = '',
}: {
  text: string;
  exit?: ProcessExit;
  stderr?: string;
  stdout?: string;
}) => readRecord({ text, file: FILE, result: { exit, stdout, stderr, durationMs: 5 }, root: '/repo' });

describe('readRecord', () => {
  it('never calls a test passed before it has ended, wherever the record is cut', () => {
    const whole =
      START + collected('test_a', 'test_b', 'test_c') + ['test_a', 'test_b', 'test_c'].map(passing).join('') + finish();
    const exits: readonly ProcessExit[] = [
      { kind: 'timeout' },
      { kind: 'exited', code: 0 },
      { kind: 'exited', code: 1 },
      { kind: 'signalled', signal: 'SIGKILL' },
      { kind: 'overlimit', limit: 'processes' },
    ];
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), fc.constantFrom(...exits), (length, exit) => {
        const text = whole.slice(0, length);
        const outcome = read({ text, exit });
        const isWhole = text.includes('"finish", "status"'.replaceAll(' ', '')) && text.trimEnd().endsWith('}');
        expect(outcome.state).toBe(isWhole ? 'ran' : exit.kind === 'timeout' ? 'timeout' : 'crashed');
        for (const { testId, status } of outcome.outcomes) {
          const hasEnded = text.includes(JSON.stringify({ k: 'end', id: testId }));
          const hasBegun = text.includes(JSON.stringify({ k: 'begin', id: testId }));
          const cut = exit.kind === 'timeout' ? 'timeout' : 'error';
          expect(status).toBe(hasEnded ? 'passed' : hasBegun ? cut : 'missing');
        }
        if (text.includes(collected('test_a', 'test_b', 'test_c'))) expect(outcome.outcomes).toHaveLength(3);
      }),
    );
  });

  it('takes infra for our side only', () => {
    expect(read({ text: '', exit: { kind: 'broken', reason: 'no namespace' } })).toMatchObject({
      state: 'infra',
      reason: 'no namespace',
    });
    expect(read({ text: '', exit: { kind: 'cancelled' } }).state).toBe('infra');
    const died = read({
      text: '',
      exit: { kind: 'exited', code: 1 },
      stderr: 'File "/repo/pkg/x.py"\nImportError: no',
    });
    expect(died).toMatchObject({ state: 'crashed', outcomes: [] });
    expect(died.reason).toMatch(/exit code 1.*File "pkg\/x.py"\nImportError: no$/s);
  });

  it('folds sub-tests, reruns and a failure followed by another', () => {
    const text =
      START +
      collected('test_sub', 'test_rerun', 'test_twice', 'test_nothing', 'test_skipped_sub') +
      begin('test_sub') +
      phase('test_sub', 'setup', 'passed') +
      phase('test_sub', 'call', 'failed', { sub: true, message: 'sub-test n=2' }) +
      phase('test_sub', 'call', 'passed', { sub: true }) +
      phase('test_sub', 'call', 'passed') +
      end('test_sub') +
      begin('test_rerun') +
      phase('test_rerun', 'call', 'rerun', { message: 'first' }) +
      begin('test_rerun') +
      phase('test_rerun', 'call', 'passed') +
      end('test_rerun') +
      begin('test_twice') +
      phase('test_twice', 'call', 'failed', { message: 'body' }) +
      phase('test_twice', 'teardown', 'failed', { message: 'tear-down' }) +
      end('test_twice') +
      begin('test_nothing') +
      phase('test_nothing', 'setup', 'passed') +
      end('test_nothing') +
      begin('test_skipped_sub') +
      phase('test_skipped_sub', 'call', 'skipped', { sub: true }) +
      phase('test_skipped_sub', 'call', 'passed') +
      end('test_skipped_sub') +
      finish(1);
    const outcome = read({ text });
    expect(statuses(outcome)).toEqual({
      test_sub: 'failed/call',
      test_rerun: 'passed/call',
      test_twice: 'failed/call',
      test_nothing: 'error/call',
      test_skipped_sub: 'passed/call',
    });
    expect(outcome.outcomes[0]?.message).toBe('sub-test n=2');
    expect(outcome.outcomes[2]).toMatchObject({ message: 'body', durationMs: 2 });
  });

  it('says in which phase a test was cut short', () => {
    const cut = (phases: string) =>
      read({ text: START + collected('a') + begin('a') + phases, exit: { kind: 'timeout' } });
    expect(statuses(cut(''))).toEqual({ a: 'timeout/setup' });
    expect(statuses(cut(phase('a', 'setup', 'passed')))).toEqual({ a: 'timeout/call' });
    expect(statuses(cut(phase('a', 'setup', 'passed') + phase('a', 'call', 'passed')))).toEqual({
      a: 'timeout/teardown',
    });
  });

  it('gives a class that cannot be collected a row of its own', () => {
    const text =
      START +
      line({ k: 'collect', id: id('TestA'), outcome: 'failed', message: 'why' }) +
      collected('b') +
      passing('b') +
      finish(1);
    const outcome = read({ text });
    expect(outcome.state).toBe('ran');
    expect(statuses(outcome)).toEqual({ b: 'passed/call', TestA: 'error/collect' });
  });

  it('survives lines that are none of ours, and takes the last word about imports', () => {
    const text =
      `${START}{"k":"phase","id":3}\nnull\n[]\n{"k":"unknown"}\n\u0000\n` +
      line({ k: 'imports', origins: { pkg: '/site/pkg.py' } }) +
      collected('a') +
      passing('a') +
      line({ k: 'imports', origins: { pkg: 'src/pkg.py' } }) +
      finish();
    expect(read({ text })).toMatchObject({ state: 'ran', imports: { pkg: 'src/pkg.py' }, durationMs: 5, reason: '' });
  });
});
