import { loadPageScript } from '@rapporteur/page-scripts';
import type { Page } from 'playwright-core';
import { inTime } from '../in-time.ts';
import type { QuietPage, QuietPageOptions } from './quiet-page.page.ts';

const pageScript = new URL('./quiet-page.page.ts', import.meta.url);
/** A page that is frozen is looked at as it is. */
const answerLimitMs = 1_000;

/** Before the page is opened. `hides`: selector of what nobody needs painted. */
export async function preparePainting(page: Page, hides: string): Promise<PagePainting> {
  await page.addInitScript({ content: loadPageScript(pageScript, { hides } satisfies QuietPageOptions) });
  return new PagePainting(page);
}

/** Says when the page paints its pictures: in the beginning, while it is looked at, and whenever it is wanted. */
export class PagePainting {
  readonly #page: Page;
  #wanted = true;
  #looks = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Never rejects. */
  async set(wanted: boolean): Promise<void> {
    this.#wanted = wanted;
    if (this.#looks === 0) await this.#tell(wanted);
  }

  /** Does it while the page paints what it has. */
  async during<T>(look: () => Promise<T>): Promise<T> {
    this.#looks += 1;
    try {
      if (!this.#wanted) await this.#tell(true);
      return await look();
    } finally {
      this.#looks -= 1;
      if (this.#looks === 0 && !this.#wanted) void this.#tell(false);
    }
  }

  /** One after the other: what was wanted last is what the page does. */
  #tell(paints: boolean): Promise<void> {
    this.#turn = this.#turn.then(() => this.#ask(paints));
    return this.#turn;
  }

  async #ask(paints: boolean): Promise<void> {
    const asked = this.#page.evaluate(async (wanted) => {
      const door = (globalThis as { rapporteurQuietPage?: QuietPage }).rapporteurQuietPage;
      if (wanted) await door?.restore();
      else door?.quiet();
    }, paints);
    await inTime(asked, answerLimitMs);
  }
}
