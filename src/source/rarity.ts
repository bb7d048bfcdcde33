/** From 0 for what all of `total` have to 1 for what a single one has. */
export const rarityOf = ({ holders, total }: { holders: number; total: number }): number =>
  Math.max(0, 1 - Math.log(Math.max(1, holders)) / Math.log(Math.max(2, total)));
