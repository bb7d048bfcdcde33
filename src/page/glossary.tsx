import { Fold } from './parts.js';

const WORDS: readonly (readonly [string, string])[] = [
  ['separating', 'A test that passes on some candidate and fails on another, confirmed by running it again.'],
  ['deciding', 'A separating test that the choice rests on.'],
  ['evidence', 'Separating, and judged to express the issue, a regression or a convention of the project.'],
  [
    'no evidence',
    'Separating, but stale (the issue overturns what it expects) or incidental (the issue leaves it open).',
  ],
  ['flaky', 'Identical runs gave different outcomes; such a test counts for nothing.'],
  ['not run', 'The candidate had left the lead before the test came to be, or the test is not there on it.'],
  ['weak', 'A test that the optimizer wrote could not even be set up on some candidate; by itself it decides nothing.'],
  ['in the lead', 'Fails no test that is evidence.'],
  ['loss', '0 when some test separates candidates, else 1.'],
  ['momentum', 'What failed updates have in common, mined from them, so that the next one goes elsewhere.'],
  ['raw memory', 'The failed updates themselves, which momentum stands for.'],
  ['equivalent', 'The candidates in the lead behave the same; a rule or the checker took one of them.'],
  ['fallback', 'No test decided within the budget, or the answer could not be used; low confidence.'],
  ['Pass@1', 'Share of instances resolved by the one patch that was selected; every instance counts.'],
  ['headroom', 'Share of the room between the best agent and the oracle that the selection captures.'],
  ['oracle, expected, adversary', 'Resolved when any candidate is right, at random, and only when all are right.'],
  ['wrong pick', 'The selected patch does not resolve the instance although another candidate does.'],
  [
    'near miss',
    'Resolved without a test that decides, although some candidate is wrong: it could have gone either way.',
  ],
  ['different', 'Methods differ in whether the instance is resolved.'],
];

/** Every word that counts and tables use. */
export function Glossary() {
  return (
    <section class="part glossary" aria-label="Glossary">
      <Fold title="What the words mean">
        {() => (
          <dl class="pairs">
            {WORDS.map(([word, meaning]) => (
              <>
                <dt key={word}>{word}</dt>
                <dd>{meaning}</dd>
              </>
            ))}
          </dl>
        )}
      </Fold>
    </section>
  );
}
