/**
 * Two-sided exact p of McNemar's test: how likely a split of the discordant pairs at least as uneven is by chance, when both
 * methods are equally good. `onlyLeft` and `onlyRight` count the instances that one of them resolves and the other does
 * not; 1 without any.
 *
 * p = min(1, 2 Σ_{i=0}^{min(b,c)} C(b+c, i) / 2^(b+c)). Source: Q. McNemar, Psychometrika 12 (1947), in its exact binomial
 * form.
 */
export function mcnemarExact({ onlyLeft, onlyRight }: { onlyLeft: number; onlyRight: number }): number {
  const pairs = onlyLeft + onlyRight;
  const fewer = Math.min(onlyLeft, onlyRight);
  // In logarithms: 2^-pairs is below the smallest number from 1,075 pairs on.
  let logTerm = -pairs * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= fewer; i += 1) {
    logTerm += Math.log(pairs - i + 1) - Math.log(i);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}
