import type { Locator, Page } from 'playwright-core';
import { hostOf } from '../evidence.ts';
import type { MeetPageDoor, MeetStreamOwners } from './meet.page.ts';
import { readMeetPage } from './page-state.ts';
import type { MeetPageReading, MeetPageSnapshot } from './page-state.ts';
import { meetDialogs, meetSelectors } from './selectors.ts';
import type { MeetElement } from './selectors.ts';

const readTimeoutMs = 5_000;
const clickTimeoutMs = 3_000;

export interface MeetLook {
  readonly snapshot: MeetPageSnapshot;
  readonly reading: MeetPageReading;
}

/** Thrown when the page gives no answer in time: it is frozen, or gone. */
export class PageSilent extends Error {
  override readonly name = 'PageSilent';
}

/** Reads Meet's page and presses its buttons the way a person does. One action at a time. */
export class MeetPage {
  readonly page: Page;
  #turn: Promise<unknown> = Promise.resolve();
  #crashed = false;

  constructor(page: Page) {
    this.page = page;
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
  async look(): Promise<MeetLook> {
    const snapshot = (await this.#askSnapshot()) ?? emptySnapshot(hostOf(this.page.url()));
    return { snapshot, reading: readMeetPage(snapshot) };
  }

  /** Tells the page whose stream is whose. A page that navigates meanwhile is told with the next change. */
  async tellOwners(owners: MeetStreamOwners): Promise<void> {
    await this.page
      .evaluate((given) => (globalThis as { rapporteurMeet?: MeetPageDoor }).rapporteurMeet?.setOwners(given), owners)
      .catch(() => undefined);
  }

  /** The first of the element's places that is visible now. */
  async find(element: MeetElement): Promise<Locator | null> {
    for (const selector of meetSelectors[element]) {
      const locator = this.page.locator(selector).filter({ visible: true }).first();
      if ((await locator.count().catch(() => 0)) > 0) return locator;
    }
    return null;
  }

  /** False when the element is not there, is covered or can't be pressed in time. */
  async press(element: MeetElement): Promise<boolean> {
    const locator = await this.find(element);
    return locator !== null && (await this.pressAt(locator));
  }

  /** Moves the mouse to the element, then presses it. The site looks at both. */
  async pressAt(locator: Locator): Promise<boolean> {
    try {
      const box = await locator.boundingBox({ timeout: clickTimeoutMs });
      if (box !== null) await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
      await locator.click({ timeout: clickTimeoutMs });
      return true;
    } catch {
      return false;
    }
  }

  /** Presses the polite button of every dialog that is known. Returns what was pressed away. */
  async dismissDialogs(snapshot: MeetPageSnapshot): Promise<string[]> {
    const dismissed: string[] = [];
    for (const text of snapshot.dialogs) {
      const dialog = meetDialogs.find((known) => known.text.test(text));
      if (dialog === undefined || dismissed.includes(dialog.what)) continue;
      for (const button of dialog.buttons) {
        const locator = this.page
          .locator('[role="dialog"],[aria-modal="true"]')
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

  async #askSnapshot(): Promise<MeetPageSnapshot | null> {
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new PageSilent(`The page gave no answer for ${readTimeoutMs} ms.`)),
        readTimeoutMs,
      );
    });
    const asked = this.page.evaluate(
      () => (globalThis as { rapporteurMeet?: MeetPageDoor }).rapporteurMeet?.snapshot() ?? null,
    );
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

function emptySnapshot(host: string | null): MeetPageSnapshot {
  return {
    host: host ?? '',
    title: '',
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    waitingLabel: false,
    nameField: false,
    tiles: [],
    leaveControl: false,
    visibleChallenge: false,
    chatRows: [],
  };
}
