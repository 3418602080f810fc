/** Limit of wasted work when only one of a list is requested. */
const farthestAhead = 30;

/** Runs tasks a few at a time, each when it is requested or shortly before: most of a scenario is waiting. */
export class ScenarioPool<In, Out> {
  readonly #items: readonly In[];
  readonly #atOnce: number;
  readonly #work: (item: In) => Promise<Out>;
  readonly #begun = new Set<In>();
  readonly #untaken = new Map<In, Promise<Out>>();
  readonly #running = new Set<Promise<void>>();
  #taken = -1;

  constructor(items: readonly In[], atOnce: number, work: (item: In) => Promise<Out>) {
    this.#items = items;
    this.#atOnce = atOnce;
    this.#work = work;
  }

  /** True while a task runs. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** A second request runs the task again. */
  async take(item: In): Promise<Out> {
    const work = this.#untaken.get(item) ?? this.#begin(item);
    this.#taken = this.#items.indexOf(item);
    this.#beginAhead();
    this.#untaken.delete(item);
    return await work;
  }

  /** Starts no further task, and waits for those started ahead. */
  async drain(): Promise<void> {
    this.#taken = this.#items.length;
    await Promise.all(this.#running);
  }

  #beginAhead(): void {
    for (const next of this.#items.slice(this.#taken + 1, this.#taken + 1 + farthestAhead)) {
      if (this.#running.size >= this.#atOnce) return;
      if (!this.#begun.has(next)) void this.#begin(next);
    }
  }

  #begin(item: In): Promise<Out> {
    const work = this.#work(item);
    this.#begun.add(item);
    this.#untaken.set(item, work);
    const settled: Promise<void> = work.then(
      () => undefined,
      // The consumer receives its failure; there may be none.
      () => undefined,
    );
    this.#running.add(settled);
    void settled.then(() => {
      this.#running.delete(settled);
      this.#beginAhead();
    });
    return work;
  }
}
