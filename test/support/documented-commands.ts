import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  /** The word behind the fence; empty where there is none. */
  readonly language: string;
  readonly text: string;
}

/** A command as a page shows it. */
export interface Command {
  readonly page: string;
  readonly line: number;
  /** The whole command: continued lines and here-documents included. */
  readonly text: string;
}

/** README.md and every page below docs, by path from the root of the repository. */
export function documentedPages(): string[] {
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', ...below.filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`)].sort();
}

/** Text of a page. */
export const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The fenced blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly language: string; readonly lines: string[] } | null = null;
  for (const [index, line] of pageText(page).split('\n').entries()) {
    const fence = /^ *```(\w*)/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === null) open = { line: index + 1, language: fence[1] ?? '', lines: [] };
    else {
      blocks.push({ page, line: open.line, language: open.language, text: open.lines.join('\n') });
      open = null;
    }
  }
  return blocks;
}

/** How a command begins: with a program, or with a variable for one. */
const PROGRAM = /^(?:[A-Z_]+=\S|(?:testgrad|npm|npx|node|export|docker|temporal)(?= |$))/;

/** True for a block of commands: marked `sh`, or not marked and beginning with one. */
export const isCommands = ({ language, text }: Block): boolean =>
  language === 'sh' || (language === '' && PROGRAM.test(text));

/** The commands of a block: continued lines and here-documents belong to the command they follow; comments are none. */
export function commandsOf({ page, line: first, text }: Block): Command[] {
  const commands: Command[] = [];
  let until: string | null = null;
  let goesOn = false;
  for (const [index, line] of text.split('\n').entries()) {
    const last = commands.at(-1);
    if ((until !== null || goesOn) && last !== undefined) {
      commands[commands.length - 1] = { ...last, text: `${last.text}\n${line}` };
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      commands.push({ page, line: first + 1 + index, text: line });
    } else continue;
    if (until !== null) until = line === until ? null : until;
    else {
      until = /<<'?(\w+)'?/.exec(line)?.[1] ?? null;
      goesOn = line.endsWith('\\');
    }
  }
  return commands;
}

/** A command in one line, without the comment behind it. */
export const oneLine = (text: string): string =>
  text
    .replace(/\\\n/g, ' ')
    .replace(/ {2,}#.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What a page calls a command in its text, in code spans and in indented lines. */
export function mentionsOf(page: string): Command[] {
  const spans: Command[] = [];
  let fenced = false;
  for (const [index, line] of pageText(page).split('\n').entries()) {
    if (/^ *```/.test(line)) fenced = !fenced;
    if (fenced) continue;
    const texts = [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
    if (/^ {4}/.test(line)) texts.push(line.trim());
    spans.push(...texts.filter((text) => PROGRAM.test(text)).map((text) => ({ page, line: index + 1, text })));
  }
  return spans;
}

/** The calls of testgrad within a command, each as its arguments; `…` is left out where it stands for no value. */
export function testgradCalls(text: string): string[][] {
  const line = oneLine(text.split('\n').some((each) => each.includes('<<')) ? (text.split('\n')[0] ?? '') : text);
  const calls = line.matchAll(
    /(?:^|[\s(;&|])(?:npm run (?:--silent )?testgrad --|testgrad)(?= |$)((?:"[^"]*"|'[^']*'|[^|;&<>)])*)/g,
  );
  return [...calls].map(([, tail = '']) => wordsOf(tail));
}

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) => word.replace(/["']/g, ''));
