/** Further ones are left to the sweep: memory stays bounded while the bus is unreachable. */
const most = 10_000;

/**
 * Events that this instance wrote and has not published yet. Only the table shows whether their transactions committed.
 */
export class FreshEvents {
  /** By id, when it was noted. */
  readonly #notedAtMs = new Map<string, number>();
  readonly #keptMs: number;

  /** @param keptMs after this time an event that was not found is left to the sweep, or was rolled back */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(ids: readonly string[]): void {
    const nowMs = performance.now();
    for (const id of ids) {
      if (this.#notedAtMs.size >= most) return;
      if (!this.#notedAtMs.has(id)) this.#notedAtMs.set(id, nowMs);
    }
  }

  /** All noted ids, in their order, in lists of at most `size`. */
  batches(size: number): string[][] {
    const oldest = performance.now() - this.#keptMs;
    for (const [id, notedAtMs] of this.#notedAtMs) {
      if (notedAtMs >= oldest) break;
      this.#notedAtMs.delete(id);
    }
    const ids = [...this.#notedAtMs.keys()];
    return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#notedAtMs.delete(id);
  }
}
