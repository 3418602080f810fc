import { ReceivedMedia } from './received-media.ts';

/** What each browser of a room sends, by its id; that of the newest browsers only. */
export class ReceivedFromBrowsers {
  static readonly #most = 60;
  readonly #now: () => number;
  readonly #byId = new Map<string, ReceivedMedia>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Created at the first access. */
  of(id: string): ReceivedMedia {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const received = new ReceivedMedia(this.#now);
    this.#byId.set(id, received);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > ReceivedFromBrowsers.#most && oldest !== undefined) this.#byId.delete(oldest);
    return received;
  }

  find(id: string): ReceivedMedia | null {
    return this.#byId.get(id) ?? null;
  }
}
