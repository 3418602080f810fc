import type { PageSnapshot } from './page-state.ts';
import type { SessionHost } from './web-session.ts';

/** Changes within this time are reported together. */
const delayMs = 50;

/** Reports the owners of the streams to the page's script. */
export class OwnersReporter<S extends PageSnapshot> {
  readonly #host: SessionHost<S>;
  readonly #owners: () => unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: SessionHost<S>, owners: () => unknown) {
    this.#host = host;
    this.#owners = owners;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#host.stopping.aborted) void this.#host.driver.notify('setOwners', this.#owners());
    }, delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
