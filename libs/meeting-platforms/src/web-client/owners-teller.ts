import type { PageLook } from './page-client.ts';
import type { VisitHost } from './web-visit.ts';

/** Changes that come together are told together. */
const delayMs = 50;

/** Tells the page's script who is behind which stream. */
export class OwnersTeller<S extends PageLook> {
  readonly #host: VisitHost<S>;
  readonly #owners: () => unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: VisitHost<S>, owners: () => unknown) {
    this.#host = host;
    this.#owners = owners;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#host.stopping.aborted) void this.#host.door.tell('setOwners', this.#owners());
    }, delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
