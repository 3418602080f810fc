import { setImmediate } from 'node:timers/promises';

/** How long one caller keeps the thread, in ms. */
const sliceMs = 10;

/**
 * Maps items in their order. Other work of the process gets its turn whenever a slice of time is over, so a long list delays
 * it by one item at most.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let until = performance.now() + sliceMs;
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + sliceMs;
  }
  return results;
}
