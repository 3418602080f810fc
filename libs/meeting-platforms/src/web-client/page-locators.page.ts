// Runs in every frame of a meeting's page before its own scripts: locates elements that can be pressed now, many with
// one request, and blocks presses on elements that have replaced them. Changes nothing.
import { isPainted, isShown, nameOf, plain } from './page-text.page.ts';

const pressEvents = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick'] as const;
const pressables = 'button, a, label, [role="button"]';
/** A press on a located element is expected within this time; later it has to be located again. */
const expectedMs = 5_000;

/**
 * Blocks presses on other elements than the located ones. Between locating a button and pressing it, a page may put
 * another in its place, e.g. one that leaves the meeting. Without a located element nothing is blocked.
 */
class ClickGuard {
  #expected: readonly Element[] = [];
  #untilMs = -Infinity;
  #refuses = false;

  /** Before the page's own scripts: the first listener decides. */
  install(): void {
    for (const kind of pressEvents)
      globalThis.addEventListener(kind, (event) => this.#filter(event), { capture: true });
  }

  expect(elements: readonly Element[]): void {
    // A press on a descendant of a button is a press on the button.
    this.#expected = elements.map((element) => element.closest(pressables) ?? element);
    this.#untilMs = performance.now() + expectedMs;
  }

  /** Decides at the beginning of a press: the page may move the target before its end. */
  #filter(event: Event): void {
    if (event.type === 'pointerdown') this.#refuses = this.#hitsOtherElement(event);
    if (!this.#refuses) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #hitsOtherElement(event: Event): boolean {
    if (!event.isTrusted || this.#expected.length === 0 || performance.now() > this.#untilMs) return false;
    const pressed = event.composedPath().filter((target) => 'isEqualNode' in target) as Node[];
    // A page that renders again may have put an equal element in its place.
    return !this.#expected.some((element) => pressed.some((node) => node === element || node.isEqualNode(element)));
  }
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** An element's data from a single read. */
export interface ElementState {
  /** Index of the matching place. */
  readonly place: number;
  /** Position in the window where it can be pressed now; null where Playwright has to find out. */
  readonly spot: Spot | null;
  readonly enabled: boolean;
  /** Value of a field; null for other elements. */
  readonly value: string | null;
  /** Maximum length of a field in UTF-16 units; null where it states none. */
  readonly longest: number | null;
}

export interface ShownDialog {
  /** At most 1,000 UTF-16 units. */
  readonly text: string;
  /** Names of its buttons. */
  readonly buttons: readonly string[];
}

/** Places are plain CSS. */
export interface PageLocators {
  /** For each list the first of its places that is visible. `absent`: none does; `unknown`: none that CSS reaches from here. */
  locate(lists: readonly (readonly string[])[]): (ElementState | 'absent' | 'unknown')[];
  openSpot(element: Element): Spot | null;
  /** Null for a dialog that is not shown: pages keep invisible copies. */
  readDialog(element: Element): ShownDialog | null;
  /** Sets the elements that may be pressed now. `locate` and `openSpot` set them too. */
  expect(elements: readonly Element[]): void;
  /** True as soon as one of the places is visible; false after `mostMs`. */
  appears(places: readonly string[], mostMs: number): Promise<boolean>;
}

const guard = new ClickGuard();

function firstShown(place: string): Element | null {
  for (const element of document.querySelectorAll(place)) if (isShown(element)) return element;
  return null;
}

/** Selectors of the page do not match inside shadow trees; Playwright's do. */
function hasTreesWithin(): boolean {
  for (const element of document.querySelectorAll('*')) if (element.shadowRoot !== null) return true;
  return false;
}

function isEnabled(element: Element): boolean {
  return !element.matches(':disabled') && element.closest('[aria-disabled="true"]') === null;
}

/** Also true while an ancestor moves. */
function moves(element: Element): boolean {
  return element.ownerDocument.getAnimations().some(({ playState, effect }) => {
    // No `instanceof`: each frame has classes of its own.
    const target = effect !== null && 'target' in effect ? (effect as KeyframeEffect).target : null;
    return playState === 'running' && target !== null && target.contains(element);
  });
}

/** A spot of this frame in the window. Null where another site's page is around the frame, or something covers it there. */
function inWindow({ x, y }: Spot): Spot | null {
  const spot = { x, y };
  for (let view: Window = globalThis.window; view !== view.parent; view = view.parent) {
    const frame = view.frameElement as HTMLElement | null;
    if (frame === null || moves(frame)) return null;
    const { left, top, width, height } = frame.getBoundingClientRect();
    // A frame that is scaled has its spots elsewhere.
    if (Math.round(width) !== frame.offsetWidth || Math.round(height) !== frame.offsetHeight) return null;
    const { paddingLeft, paddingTop } = view.parent.getComputedStyle(frame);
    spot.x += left + frame.clientLeft + Number.parseFloat(paddingLeft);
    spot.y += top + frame.clientTop + Number.parseFloat(paddingTop);
    if ((frame.getRootNode() as Document | ShadowRoot).elementFromPoint(spot.x, spot.y) !== frame) return null;
  }
  return spot;
}

/** Here, and in the pages of the same site around this one. */
function expect(elements: readonly Element[]): void {
  guard.expect(elements);
  const frame = globalThis.window.frameElement;
  if (frame !== null)
    (globalThis.parent as Window & { rapporteurLocators?: PageLocators }).rapporteurLocators?.expect([frame]);
}

/** The middle of an element that can be pressed this moment. */
function spotOf(element: Element): Spot | null {
  const { left, top, width, height } = element.getBoundingClientRect();
  const spot = { x: left + width / 2, y: top + height / 2 };
  if (width === 0 || height === 0 || !isEnabled(element)) return null;
  // Outside the window there is no element at a spot; behind a cover there is another one.
  const there = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(spot.x, spot.y);
  if (there === null || !element.contains(there) || moves(element)) return null;
  return inWindow(spot);
}

function openSpot(element: Element): Spot | null {
  expect([element]);
  return spotOf(element);
}

function locate(lists: readonly (readonly string[])[]): (ElementState | 'absent' | 'unknown')[] {
  const located: Element[] = [];
  const states = lists.map((places) => stateAt(places, located));
  expect(located);
  if (!states.includes(null)) return states as ElementState[];
  const otherwise = hasTreesWithin() ? 'unknown' : 'absent';
  return states.map((state) => state ?? otherwise);
}

function stateAt(places: readonly string[], located: Element[]): ElementState | null {
  for (const [place, selector] of places.entries()) {
    const element = firstShown(selector);
    if (element === null) continue;
    located.push(element);
    const field = element instanceof HTMLInputElement ? element : null;
    const longest = field === null || field.maxLength < 0 ? null : field.maxLength;
    return { place, spot: spotOf(element), enabled: isEnabled(element), value: field?.value ?? null, longest };
  }
  return null;
}

function readDialog(element: Element): ShownDialog | null {
  if (!isPainted(element)) return null;
  const buttons = [...element.querySelectorAll('button,a,[role="button"]')].filter(isPainted).slice(0, 20);
  return { text: plain(element.textContent ?? '').slice(0, 1_000), buttons: buttons.map(nameOf) };
}

async function appears(places: readonly string[], mostMs: number): Promise<boolean> {
  const any = places.join(',');
  return await new Promise<boolean>((resolve) => {
    const end = (shown: boolean): void => {
      clearTimeout(timer);
      observer.disconnect();
      resolve(shown);
    };
    const observe = (): void => {
      if (firstShown(any) !== null) end(true);
    };
    const observer = new MutationObserver(observe);
    const timer = setTimeout(() => end(false), mostMs);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    observe();
  });
}

export function install(): void {
  const value: PageLocators = { locate, openSpot, readDialog, expect, appears };
  guard.install();
  // A frame may keep its global object when its first page loads, and run this script again.
  Object.defineProperty(globalThis, 'rapporteurLocators', { value, enumerable: false, configurable: true });
}
