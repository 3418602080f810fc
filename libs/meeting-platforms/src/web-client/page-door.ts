import type { Frame, Locator, Page } from 'playwright-core';
import { hostOf } from '../evidence.ts';
import type { OutgoingDevices } from '../platform.ts';
import type { PageClient, PageElement, PageLook, PageScriptDoor } from './page-client.ts';
import { openSpotOf, seeElements, visibleAt, waitUntilSeen } from './page-eyes.ts';
import type { SeenElement } from './page-eyes.ts';
import type { Spot } from './page-eyes.page.ts';
import { endReasonOf } from './page-state.ts';
import type { PageReading } from './page-state.ts';

const readTimeoutMs = 5_000;
const clickTimeoutMs = 3_000;
const factTimeoutMs = 1_000;

export interface Look<S> {
  readonly snapshot: S;
  readonly reading: PageReading;
}

/** Thrown when the page gives no answer in time: it is frozen, or gone. */
export class PageSilent extends Error {
  override readonly name = 'PageSilent';
}

/** Reads a meeting's page and presses its buttons the way a person does. One action at a time. */
export class PageDoor<S extends PageLook> {
  readonly page: Page;
  readonly client: PageClient<S>;
  /** What the bot brings. */
  readonly devices: OutgoingDevices;
  #turn: Promise<unknown> = Promise.resolve();
  #crashed = false;
  #stirs = 0;
  #pointer: Spot = { x: 0, y: 0 };
  #overruled: PageReading | null = null;

  constructor(page: Page, client: PageClient<S>, devices: OutgoingDevices) {
    this.page = page;
    this.client = client;
    this.devices = devices;
    page.on('crash', () => {
      this.#crashed = true;
    });
  }

  /** The page, or the browser around it, is no more. */
  get gone(): boolean {
    return this.#crashed || this.page.isClosed();
  }

  /**
   * One look at the page.
   * @throws PageSilent when it does not answer within 5 s or has crashed
   */
  async look(): Promise<Look<S>> {
    const snapshot = (await this.#askSnapshot()) ?? this.client.emptySnapshot(hostOf(this.page.url()) ?? '');
    const reading = this.client.read(snapshot);
    return { snapshot, reading: endReasonOf(reading.state) === null ? (this.#overruled ?? reading) : reading };
  }

  /** Another layer than the page knows that the visit is over. What the page itself says about the end stays first. */
  overrule(reading: PageReading): void {
    this.#overruled ??= reading;
  }

  /** Calls a function of the page script's door. A page that navigates meanwhile hears nothing. */
  async tell(method: string, argument: unknown): Promise<void> {
    await this.frame()
      .evaluate(
        ([doorName, name, given]) => {
          const door = (globalThis as Record<string, unknown>)[doorName as string] as
            | Record<string, (given: unknown) => void>
            | undefined;
          door?.[name as string]?.(given);
        },
        [this.client.doorName, method, argument] as const,
      )
      .catch(() => undefined);
  }

  /** Moves the mouse over the picture: controls may hide themselves until it moves. */
  async stir(): Promise<void> {
    this.#stirs += 1;
    await this.#pointAt(640, 340 + (this.#stirs % 2) * 40).catch(() => undefined);
  }

  /** Where the client lives: the page itself, or a frame of it. */
  frame(): Frame {
    return this.client.frameOf?.(this.page) ?? this.page.mainFrame();
  }

  /** The first of the element's places that is visible now. */
  async find(element: PageElement): Promise<Locator | null> {
    const places = this.client.elements[element] ?? [];
    const look = async (selector: string): Promise<Locator | null> => {
      const locator = visibleAt(this.frame(), selector);
      return (await locator.count().catch(() => 0)) > 0 ? locator : null;
    };
    const [first, ...others] = places;
    if (first === undefined) return null;
    // Mostly it is at its first place, or nowhere: one question tells.
    const [found, anywhere] = await Promise.all([look(first), others.length === 0 ? null : look(places.join(', '))]);
    if (found !== null || anywhere === null) return found;
    for (const selector of others) {
      const locator = await look(selector);
      if (locator !== null) return locator;
    }
    return null;
  }

  /** The same of several elements, with where they are and what they hold: one question tells, as a rule. */
  async seeAll(elements: readonly PageElement[]): Promise<readonly (SeenElement | null)[]> {
    const seen = await seeElements(
      this.frame(),
      elements.map((element) => this.client.elements[element] ?? []),
    );
    return await Promise.all(
      elements.map(async (element, index) => {
        const one = seen[index] ?? 'untold';
        if (one === 'untold') return await this.#search(element);
        return one === 'nowhere' ? null : one;
      }),
    );
  }

  async see(element: PageElement): Promise<SeenElement | null> {
    return (await this.seeAll([element]))[0] ?? null;
  }

  /** True as soon as one of the elements shows at a place where the page can look; false: not in this time, or nobody can tell. */
  async awaitAny(elements: readonly PageElement[], mostMs: number): Promise<boolean> {
    const lists = elements.map((element) => this.client.elements[element] ?? []);
    return await waitUntilSeen(this.frame(), lists, mostMs);
  }

  /** False when the element is not there, is covered or can't be pressed in time. */
  async press(element: PageElement): Promise<boolean> {
    const seen = await this.see(element);
    return seen !== null && (await this.pressSeen(seen));
  }

  /** As `pressAt`. What was seen must have been seen just now: nothing was pressed since. */
  async pressSeen({ spot, locator }: SeenElement, timeoutMs = clickTimeoutMs): Promise<boolean> {
    if (spot === null) return await this.pressAt(locator, timeoutMs);
    try {
      await this.#pressSpot(spot);
      return true;
    } catch {
      return false;
    }
  }

  /** Moves the mouse to the element, then presses it. The site looks at both. */
  async pressAt(locator: Locator, timeoutMs = clickTimeoutMs): Promise<boolean> {
    try {
      const open = await openSpotOf(locator);
      if (open !== null) {
        await this.#pressSpot(open);
        return true;
      }
      const box = await locator.boundingBox({ timeout: timeoutMs });
      if (box !== null) await this.#pointAt(box.x + box.width / 2, box.y + box.height / 2);
      await locator.click({ timeout: timeoutMs });
      return true;
    } catch {
      return false;
    }
  }

  /** Presses it with the keyboard, as people without a mouse do. */
  async pressByKey(locator: Locator): Promise<boolean> {
    try {
      await locator.press('Enter', { timeout: clickTimeoutMs });
      return true;
    } catch {
      return false;
    }
  }

  /** Presses the polite button of every dialog that is known. Returns what was pressed away. */
  async dismissDialogs(snapshot: S): Promise<string[]> {
    const dismissed: string[] = [];
    const bringsDevices = this.devices.camera || this.devices.microphone;
    // The last one lies on top of the others.
    for (const text of snapshot.dialogs.toReversed()) {
      const dialog = this.client.dialogs.find((known) => known.text.test(text));
      if (dialog === undefined || dismissed.includes(dialog.what)) continue;
      for (const button of [...((bringsDevices && dialog.buttonsWithDevices) || []), ...dialog.buttons]) {
        const locator = this.frame()
          .locator(this.client.dialogRegion)
          .locator(button)
          .filter({ visible: true })
          .first();
        if ((await locator.count().catch(() => 0)) === 0 || !(await this.pressAt(locator))) continue;
        dismissed.push(dialog.what);
        break;
      }
    }
    return dismissed;
  }

  /** Runs page actions one after the other: two hands on one mouse press the wrong things. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return await mine;
  }

  async #search(element: PageElement): Promise<SeenElement | null> {
    const locator = await this.find(element);
    if (locator === null) return null;
    const [enabled, value] = await Promise.all([
      locator.isEnabled({ timeout: factTimeoutMs }).catch(() => false),
      locator.inputValue({ timeout: factTimeoutMs }).catch(() => null),
    ]);
    return { locator, spot: null, enabled, value };
  }

  /** All in one go: the browser takes input in the order it is sent, and waiting for each answer costs a frame. */
  async #pressSpot({ x, y }: Spot): Promise<void> {
    const { mouse } = this.page;
    await Promise.all([this.#pointAt(x, y), mouse.down(), mouse.up()]);
  }

  async #pointAt(x: number, y: number): Promise<void> {
    const from = this.#pointer;
    this.#pointer = { x, y };
    const shares = [1 / 3, 2 / 3, 1];
    await Promise.all(
      shares.map((share) => this.page.mouse.move(from.x + (x - from.x) * share, from.y + (y - from.y) * share)),
    );
  }

  async #askSnapshot(): Promise<S | null> {
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new PageSilent(`The page gave no answer for ${readTimeoutMs} ms.`)),
        readTimeoutMs,
      );
    });
    const asked = this.frame().evaluate((doorName) => {
      const door = (globalThis as Record<string, unknown>)[doorName] as PageScriptDoor<unknown> | undefined;
      return door?.snapshot() ?? null;
    }, this.client.doorName) as Promise<S | null>;
    try {
      return await Promise.race([asked, silent]);
    } catch (error) {
      if (error instanceof PageSilent) throw error;
      // While it navigates, a page has no context to ask in; that is not silence.
      if (!this.page.isClosed() && !/crash|closed/i.test((error as Error).message)) return null;
      throw new PageSilent('The page is gone.', { cause: error });
    } finally {
      clearTimeout(timer);
      asked.catch(() => undefined);
    }
  }
}
