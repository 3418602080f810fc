import type { Page } from 'playwright-core';
import { resultWithin } from '../result-within.ts';
import type { Spot } from './page-locators.page.ts';

/** The browser responds when the page has handled the input, and to some input never. */
const responseLimitMs = 3_000;
const pathShares = [1 / 3, 2 / 3, 1];

/**
 * Mouse and keyboard. Each method returns whether the page handled the input: false after 3 s without a response, or
 * when the page is gone. Input without a response may have arrived nevertheless; the next read of the page shows it.
 */
export class PageInput {
  readonly #page: Page;
  readonly #unanswered: (what: string) => void;
  #pointer: Spot = { x: 0, y: 0 };

  /** @param unanswered called with the input to which the page did not respond */
  constructor(page: Page, unanswered: (what: string) => void) {
    this.#page = page;
    this.#unanswered = unanswered;
  }

  /** All at once: the browser handles input in order, and waiting for each response costs a frame. */
  async press(spot: Spot): Promise<boolean> {
    const { mouse } = this.#page;
    return await this.#responded('press', [...this.#path(spot), mouse.down(), mouse.up()]);
  }

  async point(spot: Spot): Promise<boolean> {
    return await this.#responded('pointing', this.#path(spot));
  }

  /** @param key as Playwright names keys, `ControlOrMeta+A` for one */
  async strike(key: string): Promise<boolean> {
    return await this.#responded('key', [this.#page.keyboard.press(key)]);
  }

  async paste(text: string): Promise<boolean> {
    return await this.#responded('text', [this.#page.keyboard.insertText(text)]);
  }

  /** Inserts the text and types its last character: some pages react to key events only. */
  async write(text: string): Promise<boolean> {
    const { keyboard } = this.#page;
    const last = text.slice(-1);
    // Other letters have no key of their own.
    const typed = /^[\x20-\x7e]$/.test(last)
      ? [keyboard.insertText(text.slice(0, -1)), keyboard.type(last)]
      : [keyboard.type(text)];
    return await this.#responded('text', typed);
  }

  /** Moves in steps: a pointer that jumps is not a participant's. */
  #path({ x, y }: Spot): Promise<void>[] {
    const from = this.#pointer;
    this.#pointer = { x, y };
    return pathShares.map((share) =>
      this.#page.mouse.move(from.x + (x - from.x) * share, from.y + (y - from.y) * share),
    );
  }

  async #responded(what: string, inputs: readonly Promise<void>[]): Promise<boolean> {
    const responded = (await resultWithin(Promise.all(inputs), responseLimitMs)) !== null;
    if (!responded) this.#unanswered(what);
    return responded;
  }
}
