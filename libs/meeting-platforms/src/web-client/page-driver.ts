import type { Frame, Locator, Page } from 'playwright-core';
import type { MatchedCandidates } from '@rapporteur/contracts';
import { hostOf } from '../evidence.ts';
import { resultWithin } from '../result-within.ts';
import type { OutgoingDevices, SessionClock } from '../platform.ts';
import type { PageClient, PageElement, PageScriptDriver } from './page-client.ts';
import { openSpotOf, readDialogs, locateElements, visibleAt, waitUntilShown } from './page-locators.ts';
import type { LocatedElement } from './page-locators.ts';
import type { ShownDialog, Spot } from './page-locators.page.ts';
import { endReasonOf, isDisconnected } from './page-state.ts';
import type { PageReading, PageSnapshot } from './page-state.ts';

interface RepeatedPress {
  /** One read of the page: whether the press has had its effect. */
  readonly happened: () => Promise<boolean>;
  /** False: nothing was pressed, so the next poll may press again. */
  readonly press: () => Promise<boolean>;
  /** Maximum delay of a handled press's effect. Until then another press could undo it. */
  readonly againMs: number;
  readonly timeoutMs: number;
  /** Time of a press by an earlier call without an observed effect. */
  readonly pressedAtMs?: number;
}

interface RepeatedPressOutcome {
  readonly happened: boolean;
  /** When the last press was taken; null: none was. */
  readonly pressedAtMs: number | null;
}

const pollMs = 100;

/**
 * Presses until the page shows the effect. A slow page handles a press late or not at all, and the target may have
 * moved: only the effect counts. Returns `happened: false` after the timeout or when the signal aborts.
 */
export async function repeatPress(
  { happened, press, againMs, timeoutMs, pressedAtMs }: RepeatedPress,
  clock: SessionClock,
  signal?: AbortSignal,
): Promise<RepeatedPressOutcome> {
  const untilMs = clock.now() + timeoutMs;
  let takenAtMs = pressedAtMs ?? null;
  for (;;) {
    if (await happened()) return { happened: true, pressedAtMs: takenAtMs };
    const nowMs = clock.now();
    if (nowMs >= untilMs || signal?.aborted === true) return { happened: false, pressedAtMs: takenAtMs };
    const due = takenAtMs === null || nowMs - takenAtMs >= againMs;
    if (due && (await press())) takenAtMs = clock.now();
    else await clock.sleep(pollMs, signal).catch(() => undefined);
  }
}

/** True as soon as the page shows it; false when the time is over or the signal aborts. */
export async function happensInTime(
  happened: () => Promise<boolean>,
  {
    timeoutMs,
    clock,
    signal,
  }: { readonly timeoutMs: number; readonly clock: SessionClock; readonly signal?: AbortSignal },
): Promise<boolean> {
  const probe = { happened, press: () => Promise.resolve(false), againMs: timeoutMs, timeoutMs };
  return (await repeatPress(probe, clock, signal)).happened;
}

const mostPresses = 3;
/** A dialog that was not shown for this long is a new one. */
const forgottenMs = 30_000;

/** The presses of dialogs, so that one that stays is left alone. */
export class DialogPresses {
  readonly #shown = new Map<string, { presses: number; shownAtMs: number }>();

  /**
   * To be called whenever the dialog is shown; a number in its text, as of a countdown, does not make it another one.
   * `stays`: its presses are used up, for the first time.
   */
  show(
    dialog: string,
    nowMs: number,
  ): { readonly may: boolean; readonly stays: boolean; readonly pressed: () => void } {
    for (const [key, { shownAtMs }] of this.#shown) if (nowMs - shownAtMs >= forgottenMs) this.#shown.delete(key);
    const key = dialog.slice(0, 120).replaceAll(/\d+/g, '#');
    const shown = this.#shown.get(key) ?? { presses: 0, shownAtMs: nowMs };
    this.#shown.set(key, shown);
    shown.shownAtMs = nowMs;
    const stays = shown.presses === mostPresses;
    if (stays) shown.presses += 1;
    return { may: shown.presses < mostPresses, stays, pressed: () => void (shown.presses += 1) };
  }
}

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

const readTimeoutMs = 5_000;
const clickTimeoutMs = 3_000;
const factTimeoutMs = 1_000;

export interface PageObservation<S> {
  readonly snapshot: S;
  readonly reading: PageReading;
}

/** Thrown when the page gives no response in time: it is frozen, or gone. */
export class PageUnresponsive extends Error {
  override readonly name = 'PageUnresponsive';
}

/** Reads a meeting's page and operates it as a participant does. One action at a time. */
export class PageDriver<S extends PageSnapshot> {
  readonly page: Page;
  readonly client: PageClient<S>;
  /** The devices of the bot. */
  readonly devices: OutgoingDevices;
  readonly input: PageInput;
  /** Called once for a dialog that stays although the bot pressed its button. */
  onStays: ((what: string) => void) | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #crashed = false;
  #stirs = 0;
  readonly #presses = new DialogPresses();
  #overruled: { readonly reading: PageReading; readonly isFinal: boolean } | null = null;
  readonly #matched = new Map<PageElement, MatchedCandidates[string]>();

  constructor(page: Page, client: PageClient<S>, devices: OutgoingDevices, input: PageInput) {
    this.page = page;
    this.client = client;
    this.devices = devices;
    this.input = input;
    page.on('crash', () => {
      this.#crashed = true;
    });
  }

  /** For each element that was found, the place of its first match. */
  get matchedCandidates(): MatchedCandidates {
    return Object.fromEntries(this.#matched);
  }

  /** The page or its browser has ended. */
  get gone(): boolean {
    return this.#crashed || this.page.isClosed();
  }

  /**
   * Takes one snapshot of the page.
   * @throws PageUnresponsive when it does not respond within 5 s or has crashed
   */
  async observe(): Promise<PageObservation<S>> {
    const snapshot = (await this.#requestSnapshot()) ?? this.client.emptySnapshot(hostOf(this.page.url()) ?? '');
    const reading = this.client.read(snapshot);
    return { snapshot, reading: this.#overrules(reading) ? this.#overruled!.reading : reading };
  }

  /**
   * Sets the state of the session from a layer outside the page; null: the page alone decides again. An end that the
   * page itself shows takes precedence, except over a lost connection, whose end screens name no cause.
   * @param isFinal also while the page shows the call
   */
  overrule(reading: PageReading | null, isFinal = true): void {
    if (reading === null) this.#overruled = null;
    else if (this.#overruled?.isFinal !== true) this.#overruled = { reading, isFinal };
  }

  #overrules({ state }: PageReading): boolean {
    if (this.#overruled === null) return false;
    const { reading, isFinal } = this.#overruled;
    if (state === 'in-call') return isFinal;
    return endReasonOf(state) === null || isDisconnected(reading);
  }

  /** Calls a function of the page script's driver. Has no effect on a page that navigates meanwhile. */
  async notify(method: string, argument: unknown): Promise<void> {
    const reported = this.frame().evaluate(
      ([driverName, name, given]) => {
        const driver = (globalThis as Record<string, unknown>)[driverName as string] as
          | Record<string, (given: unknown) => void>
          | undefined;
        driver?.[name as string]?.(given);
      },
      [this.client.driverName, method, argument] as const,
    );
    await resultWithin(reported, readTimeoutMs);
  }

  /** Moves the mouse over the video: controls may hide themselves until it moves. */
  async stir(): Promise<void> {
    this.#stirs += 1;
    await this.input.point({ x: 640, y: 340 + (this.#stirs % 2) * 40 });
  }

  /** The frame of the client: the page itself, or a frame of it. */
  frame(): Frame {
    return this.client.frameOf?.(this.page) ?? this.page.mainFrame();
  }

  /** The first place of the element that is visible now. */
  async find(element: PageElement): Promise<Locator | null> {
    return (await this.#findPlace(element))?.locator ?? null;
  }

  /** The same for several elements, with their positions and values: usually one request. */
  async locateAll(elements: readonly PageElement[]): Promise<readonly (LocatedElement | null)[]> {
    const seen = await locateElements(
      this.frame(),
      elements.map((element) => this.client.elements[element] ?? []),
    );
    return await Promise.all(
      elements.map(async (element, index) => {
        const one = seen[index] ?? 'unknown';
        if (one === 'unknown') return await this.#search(element);
        if (one === 'absent') return null;
        this.#note(element, one.place);
        return one;
      }),
    );
  }

  async locate(element: PageElement): Promise<LocatedElement | null> {
    return (await this.locateAll([element]))[0] ?? null;
  }

  /** True as soon as one of the elements is shown; false: timeout, or the page can't evaluate the selectors. */
  async awaitAny(elements: readonly PageElement[], mostMs: number): Promise<boolean> {
    const lists = elements.map((element) => this.client.elements[element] ?? []);
    return await waitUntilShown(this.frame(), lists, mostMs);
  }

  /** False when the element is not there, is covered or can't be pressed in time. */
  async press(element: PageElement): Promise<boolean> {
    const seen = await this.locate(element);
    return seen !== null && (await this.pressLocated(seen));
  }

  /** As `pressAt`. The element must be from the latest read: no press has happened since. */
  async pressLocated({ spot, locator }: LocatedElement, timeoutMs = clickTimeoutMs): Promise<boolean> {
    if (spot === null) return await this.pressAt(locator, timeoutMs);
    return await this.input.press(spot);
  }

  /** Moves the mouse to the element, then presses it. The site checks both. */
  async pressAt(locator: Locator, timeoutMs = clickTimeoutMs): Promise<boolean> {
    try {
      const open = await openSpotOf(locator);
      if (open !== null) return await this.input.press(open);
      const box = await locator.boundingBox({ timeout: timeoutMs });
      if (box !== null) await this.input.point({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
      await locator.click({ timeout: timeoutMs });
      return true;
    } catch {
      return false;
    }
  }

  /** Presses it with the keyboard, as participants without a mouse do. */
  async pressByKey(locator: Locator): Promise<boolean> {
    try {
      await locator.press('Enter', { timeout: clickTimeoutMs });
      return true;
    } catch {
      return false;
    }
  }

  /** Dismisses every dialog that is known by itself or by its kind, the uppermost first. Returns the dismissed ones. */
  async dismissDialogs(snapshot: S, nowMs: number): Promise<string[]> {
    if (snapshot.dialogs.length === 0) return [];
    const dismissed: string[] = [];
    const regions = this.frame().locator(this.client.dialogRegion).filter({ visible: true });
    const shown = (await resultWithin(readDialogs(regions), readTimeoutMs)) ?? [];
    for (const [index, dialog] of [...shown.entries()].toReversed()) {
      const what = dialog === null ? null : await this.#dismiss(regions.nth(index), dialog, { dismissed, nowMs });
      if (what !== null) dismissed.push(what);
    }
    // A dialog may connect the audio anew, with the microphone on.
    if (dismissed.length > 0 && !this.devices.microphone) await this.press('microphoneOn');
    return dismissed;
  }

  /** Presses one button of the dialog, at most three times while it stays. Returns its name; null: nothing was pressed. */
  async #dismiss(
    region: Locator,
    dialog: ShownDialog,
    { dismissed, nowMs }: { readonly dismissed: readonly string[]; readonly nowMs: number },
  ): Promise<string | null> {
    const kind = this.client.dialogKinds?.find(({ applies }) => applies(dialog));
    // An offer to act in the meeting is declined, whatever else its text has.
    const known = kind?.isOffer === true ? undefined : this.client.dialogs.find(({ text }) => text.test(dialog.text));
    const what = known?.what ?? kind?.what;
    if (what === undefined || dismissed.includes(what)) return null;
    const { may, stays, pressed: note } = this.#presses.show(`${what} ${dialog.text}`, nowMs);
    if (stays) this.onStays?.(what);
    if (!may) return null;
    const bringsDevices = this.devices.camera || this.devices.microphone;
    const withDevices = (bringsDevices && known?.buttonsWithDevices) || [];
    const name = kind?.press(dialog);
    const buttons = [...withDevices, ...(known?.buttons ?? [])].map((button) => ({
      isOfDevices: withDevices.includes(button),
      locator: region.locator(button).filter({ visible: true }).first(),
    }));
    if (name !== undefined) buttons.push({ isOfDevices: false, locator: buttonNamed(region, name) });
    for (const { isOfDevices, locator } of buttons) {
      if (!(await shows(locator))) continue;
      const pressed = await this.pressAt(locator);
      if (pressed) note();
      if (pressed) return what;
      // A press without an effect is repeated at the next read: the button after it would refuse the devices.
      if (isOfDevices) return null;
    }
    return null;
  }

  /** Runs page actions one after the other: they share one mouse. */
  async serialized<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return await mine;
  }

  async #findPlace(element: PageElement): Promise<{ readonly locator: Locator; readonly place: number } | null> {
    const places = this.client.elements[element] ?? [];
    const observe = async (selector: string): Promise<Locator | null> => {
      const locator = visibleAt(this.frame(), selector);
      return (await shows(locator)) ? locator : null;
    };
    const [first] = places;
    if (first === undefined) return null;
    // Usually it is at its first place or at none: one request is enough.
    const [found, anywhere] = await Promise.all([
      observe(first),
      places.length === 1 ? null : observe(places.join(', ')),
    ]);
    if (found === null && anywhere === null) return null;
    for (const [place, selector] of places.entries()) {
      const locator = place === 0 ? found : await observe(selector);
      if (locator === null) continue;
      this.#note(element, place);
      return { locator, place };
    }
    return null;
  }

  #note(element: PageElement, index: number): void {
    const of = this.client.elements[element]?.length ?? 0;
    if (!this.#matched.has(element)) this.#matched.set(element, { index, of });
  }

  async #search(element: PageElement): Promise<LocatedElement | null> {
    const found = await this.#findPlace(element);
    if (found === null) return null;
    const { locator, place } = found;
    const [enabled, value, longest] = await Promise.all([
      locator.isEnabled({ timeout: factTimeoutMs }).catch(() => false),
      locator.inputValue({ timeout: factTimeoutMs }).catch(() => null),
      locator.getAttribute('maxlength', { timeout: factTimeoutMs }).catch(() => null),
    ]);
    return { locator, place, spot: null, enabled, value, longest: longest === null ? null : Number(longest) };
  }

  async #requestSnapshot(): Promise<S | null> {
    const requested = this.frame().evaluate((driverName) => {
      const driver = (globalThis as Record<string, unknown>)[driverName] as PageScriptDriver<unknown> | undefined;
      return { snapshot: driver?.snapshot() ?? null };
    }, this.client.driverName) as Promise<{ snapshot: S | null }>;
    const gone = (error: Error): boolean => this.gone || /crash|closed/i.test(error.message);
    // While it navigates, a page has no context to evaluate in; that does not count as unresponsive.
    const responded = requested.catch((error: Error) => (gone(error) ? null : { snapshot: null }));
    const response = await resultWithin(responded, readTimeoutMs);
    if (response === null)
      throw new PageUnresponsive(`The page is closed, or did not respond for ${readTimeoutMs} ms.`);
    return response.snapshot;
  }
}

/** Finds a button by its accessible name, as `readDialog` reports it. */
function buttonNamed(region: Locator, name: string): Locator {
  const exact = { name, exact: true };
  return region.getByRole('button', exact).or(region.getByRole('link', exact)).filter({ visible: true }).first();
}

async function shows(locator: Locator): Promise<boolean> {
  return ((await resultWithin(locator.count(), readTimeoutMs)) ?? 0) > 0;
}

/** A text as fields of pages keep it: composed characters, single spaces, none at its ends. */
export function fieldText(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** Whether a field has the text, subject to its own length and normalisation. */
export function holdsText(
  { value, longest }: { readonly value: string | null; readonly longest: number | null },
  text: string,
): boolean {
  if (value === null) return false;
  const [held, wanted] = [fieldText(value), fieldText(text)];
  if (held === wanted) return true;
  const isFull = longest !== null && value.length >= longest - 1;
  return isFull && held !== '' && wanted.startsWith(held);
}
