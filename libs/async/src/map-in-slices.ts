import { setImmediate } from 'node:timers/promises';

/** How long one call uses the thread without a break, in ms. */
const sliceMs = 10;

/**
 * Maps items in their order. Other work of the process runs between slices of time, so a long list delays it by one
 * item at most.
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let until = performance.now() + sliceMs;
  for (const [index, item] of items.entries()) {
    results.push(await work(item, index));
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + sliceMs;
  }
  return results;
}
