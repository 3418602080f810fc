import type { RunningBrowser } from './launch-browser.ts';

/** The browsers of one run, one after the other; all end with it. */
export class Browsers {
  readonly #start: (number: number) => Promise<RunningBrowser>;
  readonly #started: Promise<RunningBrowser>[] = [];
  #closed = false;

  /** @param start starts the browser of this number, from 1 */
  constructor(start: (number: number) => Promise<RunningBrowser>) {
    this.#start = start;
  }

  /** The one that was started last. */
  async current(): Promise<RunningBrowser> {
    return await (this.#started.at(-1) ?? this.launch());
  }

  /** Starts a browser. @throws Error when it does not start, or when the run ends first */
  async launch(): Promise<RunningBrowser> {
    if (this.#closed) throw new Error('The run is over; no browser is started any more.');
    const starting = this.#start(this.#started.length + 1);
    starting.catch(() => undefined);
    this.#started.push(starting);
    return await starting;
  }

  /** Closes all of them, including one that is starting. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#started.map(async (starting) => (await starting.catch(() => null))?.close()));
  }
}
