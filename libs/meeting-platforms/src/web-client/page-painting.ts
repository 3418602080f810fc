import { loadPageScript } from '@rapporteur/page-scripts';
import type { Page } from 'playwright-core';
import { resultWithin } from '../result-within.ts';
import type { QuietPage, QuietPageOptions } from './quiet-page.page.ts';

const pageScript = new URL('./quiet-page.page.ts', import.meta.url);
/** A frozen page is captured as it is. */
const responseLimitMs = 1_000;

/** Before the page is opened. */
export async function preparePainting(page: Page, options: QuietPageOptions): Promise<PagePainting> {
  await page.addInitScript({ content: loadPageScript(pageScript, options) });
  return new PagePainting(page);
}

/** Sets when the page paints its videos: initially, during a capture, and whenever requested. */
export class PagePainting {
  readonly #page: Page;
  #wanted = true;
  #samples = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Never rejects. */
  async set(wanted: boolean): Promise<void> {
    this.#wanted = wanted;
    if (this.#samples === 0) await this.#notify(wanted);
  }

  /** Runs it while the page paints everything. */
  async during<T>(observe: () => Promise<T>): Promise<T> {
    this.#samples += 1;
    try {
      if (!this.#wanted) await this.#notify(true);
      return await observe();
    } finally {
      this.#samples -= 1;
      if (this.#samples === 0 && !this.#wanted) void this.#notify(false);
    }
  }

  /** Serialized: the last request determines the state. */
  #notify(paints: boolean): Promise<void> {
    this.#turn = this.#turn.then(() => this.#sendRequest(paints));
    return this.#turn;
  }

  async #sendRequest(paints: boolean): Promise<void> {
    const requested = this.#page.evaluate(async (wanted) => {
      const driver = (globalThis as { rapporteurQuietPage?: QuietPage }).rapporteurQuietPage;
      if (wanted) await driver?.restore();
      else driver?.quiet();
    }, paints);
    await resultWithin(requested, responseLimitMs);
  }
}
