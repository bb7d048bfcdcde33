import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteOccurs, quotesFrom } from '../../../src/methods/testgrad/quotes.js';
import { ISSUE } from './subjects.js';

const occurs = (quote: string) => quoteOccurs({ quote, text: ISSUE });

describe('a quote', () => {
  it.each([
    'popitem() is called while the total would not fit, and not once more.',
    '`popitem()` is called while\nthe total would not fit',
    'needs room only for the difference between the new size and the old one',
    '"currsize always is the sum of what the items were counted with, and never more than maxsize."',
    'NEEDS ROOM ONLY for the **difference**',
    'Storing a value under a key … needs room only for the difference',
    'Storing a value [...] and not once more',
  ])('is found despite its form: %s', (quote) => {
    expect(occurs(quote)).toBe(true);
  });

  it.each([
    'popitem() is called while the total would fit',
    'needs room for the whole new size',
    'and not once more ... Storing a value under a key',
    'the',
    '',
    '…',
    '- - -',
  ])('is not found where it does not stand: %s', (quote) => {
    expect(occurs(quote)).toBe(false);
  });

  const short = `The value is wrong. It raises ValueError for an empty key, \`max_length\` or not: \`TypeError\`.

\`\`\`
>>> cache["a"] = 1
KeyError: 'a'
ValueError
\`\`\`
不应抛出异常。应返回空字符串，而不是错误。
`;

  it.each(['The value is wrong.', "KeyError: 'a'", '应返回空字符串，而不是错误', 'raises ValueError for an empty key'])(
    'may be short when it is a whole sentence or line, or has four words: %s',
    (quote) => {
      expect(quoteOccurs({ quote, text: short })).toBe(true);
    },
  );

  it.each(['ValueError', 'raises ValueError', '`TypeError`', 'max_length', 'for an empty', 'wrong … ValueError … key'])(
    'is no name and no turn of phrase: %s',
    (quote) => {
      expect(quoteOccurs({ quote, text: short })).toBe(false);
    },
  );

  it('can be any part of the issue, and no text that is not in it', () => {
    const words = ISSUE.split(/\s+/);
    fc.assert(
      fc.property(fc.nat(words.length - 6), fc.integer({ min: 5, max: 20 }), (from, length) => {
        expect(
          occurs(
            words
              .slice(from, from + length)
              .filter((word) => !/^[-#]+$/.test(word))
              .join(' '),
          ),
        ).toBe(true);
      }),
    );
    expect(occurs(words.toReversed().join(' '))).toBe(false);
  });
});

describe('an explanation', () => {
  const from = (explanation: string) => quotesFrom({ explanation, text: ISSUE });

  it('may be, hold between marks, or include a sentence of the issue', () => {
    expect(from('needs room only for the difference')).toBe(true);
    expect(from('The test is wrong as "needs room only for the difference" holds.')).toBe(true);
    expect(
      from(
        'Stale because currsize always is the sum of what the items were counted with, and never more than maxsize, yet here it is 12.',
      ),
    ).toBe(true);
  });

  it('is no evidence by its own words', () => {
    expect(from('The issue clearly wants this gone.')).toBe(false);
    expect(from('See "tests" and "maxsize".')).toBe(false);
    expect(from('It calls `popitem()` where `currsize` is over `maxsize` already.')).toBe(false);
  });
});
