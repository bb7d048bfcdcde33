// Databases of sequences as they occur, and as the literature uses them; seeded, so that all machines get the same ones.

/** Numbers in [0, 1) by Marsaglia's xorshift with 32 bits. */
function randomOf(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  return { next, below: (limit) => Math.floor(next() * limit) };
}

/** Items by Zipf's law with planted patterns among them, of which items are missing now and then. */
function planted({ seed, sequences, length, alphabet, patterns, patternLength, cover }) {
  const { next, below } = randomOf(seed);
  const weights = Array.from({ length: alphabet }, (_, index) => 1 / (index + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  const cumulative = weights.map((weight) => (sum += weight / total));
  const item = () => {
    const at = next();
    return (
      Math.max(
        0,
        cumulative.findIndex((limit) => limit >= at),
      ) + 1
    );
  };
  const known = Array.from({ length: patterns }, () => Array.from({ length: patternLength }, item));
  return Array.from({ length: sequences }, () => {
    const size = Math.max(3, length - Math.floor(length / 10) + below(Math.max(1, Math.floor(length / 5) + 1)));
    const sequence = [];
    let pending = [];
    while (sequence.length < size) {
      if (pending.length === 0 && next() < cover) pending = known[below(patterns)].filter(() => next() >= 0.1);
      sequence.push(pending.length > 0 && next() < 0.7 ? pending.shift() : item());
    }
    return sequence;
  });
}

/**
 * Failed suites: edited copies of one core of statements, each of them once in it, among statements of their own and a
 * few that recur. `edit` is the share of core statements that are missing, replaced or have one more in front, `swap`
 * that of neighbours that change places.
 */
function suites({ seed, count, length, core, edit, swap }) {
  const { next, below } = randomOf(seed);
  let last = 0;
  const fresh = () => ++last;
  const shared = Array.from({ length: core }, fresh);
  const recurring = Array.from({ length: Math.max(3, Math.floor(core / 8)) }, fresh);
  return Array.from({ length: count }, () => {
    const copy = shared.flatMap((statement) => {
      const change = next();
      if (change < edit / 3) return [];
      if (change < (2 * edit) / 3) return [fresh()];
      return change < edit ? [fresh(), statement] : [statement];
    });
    for (let index = 0; index + 1 < copy.length; index += 1) {
      if (next() >= swap) continue;
      [copy[index], copy[index + 1]] = [copy[index + 1], copy[index]];
      index += 1;
    }
    return among({ copy, own: Math.max(0, length - copy.length), fresh, recurring, next, below }).slice(0, length);
  });
}

/** The copy with stretches of one to six other statements spread over it. */
function among({ copy, own, fresh, recurring, next, below }) {
  const suite = [];
  let [used, left] = [0, own];
  while (used < copy.length || left > 0) {
    const open = copy.length - used;
    if (left > 0 && (open === 0 || next() < (left / (left + open)) * 0.35)) {
      const stretch = Math.min(left, 1 + below(6));
      for (let index = 0; index < stretch; index += 1) {
        suite.push(next() < 0.15 ? recurring[below(recurring.length)] : fresh());
      }
      left -= stretch;
    } else {
      suite.push(copy[used]);
      used += 1;
    }
  }
  return suite;
}

/** Two suites in which neighbours are swapped: 2^pairs maximal sequences with others between. */
function swapped({ pairs }) {
  const one = Array.from({ length: 2 * pairs }, (_, index) => index + 1);
  return [one, one.map((item) => ((item - 1) ^ 1) + 1)];
}

const usual = { edit: 0.2, swap: 0.05 };

/** The databases by name. Suites are named by their number and length, `q` are those with planted patterns. */
export const DATABASES = {
  '3 × 20': () => suites({ seed: 10, count: 3, length: 20, core: 8, ...usual }),
  '4 × 40': () => suites({ seed: 11, count: 4, length: 40, core: 12, ...usual }),
  '4 × 100': () => suites({ seed: 12, count: 4, length: 100, core: 30, ...usual }),
  '8 × 100': () => suites({ seed: 13, count: 8, length: 100, core: 30, ...usual }),
  '8 × 400': () => suites({ seed: 14, count: 8, length: 400, core: 100, ...usual }),
  '8 × 400 swapped': () => suites({ seed: 15, count: 8, length: 400, core: 100, edit: 0.2, swap: 0.3 }),
  'q 4 × 100': () => q({ seed: 1, sequences: 4, length: 100, alphabet: 80, patterns: 3, patternLength: 8, cover: 0.5 }),
  'q 8 × 400': () =>
    q({ seed: 2, sequences: 8, length: 400, alphabet: 400, patterns: 5, patternLength: 10, cover: 0.5 }),
  'q 100 × 50': () => q({ seed: 3, sequences: 100, length: 50, alphabet: 100, patterns: 8, patternLength: 6 }),
  'q 1000 × 20': () => q({ seed: 4, sequences: 1000, length: 20, alphabet: 200, patterns: 20, patternLength: 5 }),
  'q 10000 × 20': () => q({ seed: 5, sequences: 10000, length: 20, alphabet: 500, patterns: 50, patternLength: 5 }),
  'swapped pairs 24': () => swapped({ pairs: 24 }),
};

function q(input) {
  return planted({ cover: 0.4, ...input });
}
