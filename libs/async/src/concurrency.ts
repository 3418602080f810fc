import pLimit from 'p-limit';

/** Runs work for the same key one after the other in call order, work for different keys concurrently. */
export class KeyedMutex {
  readonly #limits = new Map<string, ReturnType<typeof pLimit>>();

  /** Keys with work in progress or waiting. */
  get size(): number {
    return this.#limits.size;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limit = this.#limits.get(key) ?? pLimit(1);
    this.#limits.set(key, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(key);
    }
  }
}

/** Runs work in call order, at most `limit` at the same time. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  return pLimit(limit);
}

/**
 * A function whose calls are worked on together: those that arrive during a run wait for the next one. When the run of
 * several fails, each is run alone, so that only the faulty one rejects.
 * @param most items of one run
 * @param work returns one result for each item, in order
 */
export function together<Item, Result>(
  most: number,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: { readonly item: Item; readonly result: PromiseWithResolvers<Result> }[] = [];
  let isRunning = false;
  const alone = async ({ item, result }: (typeof waiting)[number]): Promise<void> =>
    await work([item]).then(([one]) => result.resolve(one as Result), result.reject);
  const run = async (): Promise<void> => {
    for (let taken = waiting.splice(0, most); taken.length > 0; taken = waiting.splice(0, most)) {
      const results = taken.length === 1 ? null : await work(taken.map(({ item }) => item)).catch(() => null);
      if (results === null) await Promise.all(taken.map(alone));
      else for (const [index, { result }] of taken.entries()) result.resolve(results[index] as Result);
    }
    isRunning = false;
  };
  return (item) => {
    const result = Promise.withResolvers<Result>();
    waiting.push({ item, result });
    // Items of the same turn of the event loop are one run.
    if (!isRunning) setImmediate(() => void run());
    isRunning = true;
    return result.promise;
  };
}

/** Like `Promise.all` over `map`, with at most `limit` at the same time. */
export function mapConcurrently<In, Out>(
  items: Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  return pLimit(limit).map(items, work);
}
