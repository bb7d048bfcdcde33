import { availableParallelism } from 'node:os';

/** Maps items in their order, as many at once as the machine has cores. After a failure no further item is begun. */
export async function mapAtOnce<Item, Result>({
  items,
  map,
}: {
  items: readonly Item[];
  map: (item: Item) => Promise<Result>;
}): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await map(items[at] as Item).catch((error: unknown) => {
        next = items.length;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), items.length) }, work));
  return results;
}
