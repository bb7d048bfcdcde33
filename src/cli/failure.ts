import { exitCodeOf, TestgradError } from '../errors.js';
import { safeText } from '../report/safe-text.js';
import type { Terminal } from './terminal.js';

/** What an unexpected error is told as: a defect of ours, with all that helps to report it. */
function unexpected(error: unknown): TestgradError {
  const message = error instanceof Error ? error.message : String(error);
  return new TestgradError({
    code: 'TG-X01',
    what: `Something unexpected went wrong: ${message === '' ? 'no message' : message}`,
    meaning: 'This is a defect of testgrad. What was computed is stored, and the same command goes on from there.',
    fix: 'Run it again with --verbose and report what it prints.',
    cause: error,
  });
}

/** Lines of a message: code and what, what it means, what to do. */
export function failureLines(error: TestgradError): string[] {
  const indent = ' '.repeat(error.code.length + 2);
  const block = (first: string, text: string): string[] =>
    safeText(text)
      .split('\n')
      .map((line, index) => `${index === 0 ? first : indent}${line}`);
  return [
    ...block(`${error.code}  `, error.what),
    ...(error.meaning === '' ? [] : block(indent, error.meaning)),
    ...(error.fix === '' ? [] : block('  Fix:'.padEnd(indent.length), error.fix)),
  ];
}

function causes(error: unknown): string[] {
  const lines: string[] = [];
  let current: unknown = error;
  while (current !== undefined && current !== null && lines.length < 200) {
    lines.push(
      ...safeText(current instanceof Error ? (current.stack ?? current.message) : String(current)).split('\n'),
    );
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines;
}

/**
 * Prints one message on standard error and returns the exit code. Stack traces only with `verbose`.
 */
export function printFailure({
  error,
  terminal,
  verbose,
}: {
  error: unknown;
  terminal: Terminal;
  verbose: boolean;
}): number {
  const shown = error instanceof TestgradError ? error : unexpected(error);
  for (const line of failureLines(shown)) {
    terminal.note(line);
  }
  if (verbose) {
    for (const line of causes(error)) {
      terminal.note(`  ${line}`);
    }
  }
  return exitCodeOf(shown);
}
