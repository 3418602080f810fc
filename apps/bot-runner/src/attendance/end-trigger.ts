import type { EndCause } from './end-codes.ts';

/** Why an attendance ends. Only the first cause counts, except that a lost lease replaces it: it forbids writing. */
export class EndTrigger {
  #cause: EndCause | null = null;
  readonly #reported = Promise.withResolvers<void>();
  readonly #controller = new AbortController();

  /** Aborts as soon as there is a cause. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get cause(): EndCause | null {
    return this.#cause;
  }

  notify(cause: EndCause): void {
    if (this.#cause !== null && cause.kind !== 'fenced') return;
    this.#cause = cause;
    this.#reported.resolve();
    this.#controller.abort(new Error(`The attendance ends: ${cause.kind}.`));
  }

  async wait(): Promise<void> {
    await this.#reported.promise;
  }
}
