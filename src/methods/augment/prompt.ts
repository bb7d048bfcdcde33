import type { ChatMessage } from '../../core/chat.js';
import { delimited } from '../testgrad/text.js';

/**
 * The one message of Augment's majority-vote ensembler: the task, all diffs in full, numbered from 1, and three steps.
 * There is no system message.
 *
 * Source: augmentcode/augment-swebench-agent, `majority_vote_ensembler.py`, in other words. Its prompt also announces
 * an explanation of each solution, of which there is none; that is left out.
 */
export function ensembleMessages({ issue, diffs }: { issue: string; diffs: readonly string[] }): ChatMessage[] {
  const solutions = diffs.map((diff, at) => delimited({ tag: `candidate_solution_${at + 1}`, text: diff }));
  const content = [
    'I am an engineer and have a task to do in my codebase. This is the task:',
    delimited({ tag: 'instruction', text: issue }),
    `I have ${diffs.length} possible solutions. Each is a diff in a block of its own, numbered from 1:`,
    ...solutions,
    [
      'Do the following:',
      '1. Analyse each solution: what does it change, and does it do the task?',
      '2. Compare the approaches with each other: which are alike, and what speaks for and against each?',
      '3. Find the majority-vote solution, the approach that most of the solutions share. Write the number of one example of it between tags, with nothing but the number inside: <solution_index>NUMBER</solution_index>',
    ].join('\n'),
  ].join('\n\n');
  return [{ role: 'user', content }];
}

/**
 * The number that the answer gives, from 1 and as it was written, or null when it gives none. Only digits directly
 * between the tags count, and the first such tag.
 */
export function chosenSolution(text: string): number | null {
  const found = /<solution_index>(\d+)<\/solution_index>/.exec(text);
  return found === null ? null : Number(found[1]);
}
