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

/** Like `Promise.all` over `map`, with at most `limit` at the same time. */
export function mapConcurrently<In, Out>(
  items: Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  return pLimit(limit).map(items, work);
}
