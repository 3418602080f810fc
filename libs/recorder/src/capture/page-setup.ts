import type { RecorderPage } from '../recorder-ports.ts';

/** A step that each page needs once. A failed step is retried by the next call; concurrent calls share one. */
export class PageSetup {
  readonly #taken = new WeakMap<RecorderPage, Promise<void>>();

  async take(page: RecorderPage, step: () => Promise<void>): Promise<void> {
    const taken = this.#taken.get(page) ?? step();
    this.#taken.set(page, taken);
    try {
      await taken;
    } catch (error) {
      if (this.#taken.get(page) === taken) this.#taken.delete(page);
      throw error;
    }
  }
}
