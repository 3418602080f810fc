import { loadPageScript } from '@rapporteur/page-scripts';
import type { Frame, Locator, Page } from 'playwright-core';
import { resultWithin } from '../result-within.ts';
import type { PageLocators, ShownDialog, Spot } from './page-locators.page.ts';

/** An element that was visible a moment ago. */
export interface LocatedElement {
  /** Index among the element's places. */
  readonly place: number;
  readonly locator: Locator;
  /** Position in the window where it could be pressed; null where Playwright has to find out. */
  readonly spot: Spot | null;
  readonly enabled: boolean;
  /** Value of a field; null for other elements. */
  readonly value: string | null;
  /** Maximum length of a field in UTF-16 units; null where it states none. */
  readonly longest: number | null;
}

type LocatorsGlobal = { rapporteurLocators?: PageLocators };

const pageScript = new URL('./page-locators.page.ts', import.meta.url);
/** Playwright selectors beyond CSS: the page itself cannot evaluate them. */
const beyondCss = /:(?:text|text-is|text-matches|has-text|visible|nth-match)\b|>>/;
const responseLimitMs = 1_000;

/** Before the page is opened. */
export async function prepareLocators(page: Page): Promise<void> {
  await page.addInitScript({ content: loadPageScript(pageScript) });
}

/** The first such place that is visible now, according to Playwright. */
export function visibleAt(frame: Frame, place: string): Locator {
  return frame.locator(place).filter({ visible: true }).first();
}

/**
 * The first shown place of each list, all with one request to the page. `unknown`: none shown among the leading places
 * that the page can evaluate, or no response.
 */
export async function locateElements(
  frame: Frame,
  lists: readonly (readonly string[])[],
): Promise<readonly (LocatedElement | 'absent' | 'unknown')[]> {
  const plain = lists.map(plainPlaces);
  const requested = frame.evaluate(
    (given) => (globalThis as LocatorsGlobal).rapporteurLocators?.locate(given) ?? null,
    plain as string[][],
  );
  const states = await resultWithin(requested, responseLimitMs);
  return plain.map((places, index) => {
    const state = states?.[index];
    if (state === undefined || state === 'unknown') return 'unknown';
    if (state === 'absent') return places.length === lists[index]?.length ? 'absent' : 'unknown';
    return { ...state, locator: visibleAt(frame, places[state.place] ?? '') };
  });
}

/** Position where it can be pressed now; null where Playwright has to find out. */
export async function openSpotOf(locator: Locator): Promise<Spot | null> {
  return await locator.evaluate(
    (element) => (globalThis as LocatorsGlobal).rapporteurLocators?.openSpot(element) ?? null,
    undefined,
    { timeout: responseLimitMs },
  );
}

/** The first ten of the dialogs; null for an invisible copy. */
export async function readDialogs(regions: Locator): Promise<(ShownDialog | null)[]> {
  return await regions.evaluateAll((elements) => {
    const locators = (globalThis as LocatorsGlobal).rapporteurLocators;
    return elements.slice(0, 10).map((element) => locators?.readDialog(element) ?? null);
  });
}

/**
 * True as soon as one of these places is shown, as far as the page can evaluate them; false: timeout or not evaluable.
 */
export async function waitUntilShown(
  frame: Frame,
  lists: readonly (readonly string[])[],
  mostMs: number,
): Promise<boolean> {
  const requested = frame.evaluate(
    async ([places, limitMs]) =>
      (await (globalThis as LocatorsGlobal).rapporteurLocators?.appears(places, limitMs)) ?? false,
    [lists.flatMap(plainPlaces), mostMs] as const,
  );
  return (await resultWithin(requested, responseLimitMs)) ?? false;
}

function plainPlaces(places: readonly string[]): readonly string[] {
  const end = places.findIndex((place) => beyondCss.test(place));
  return end < 0 ? places : places.slice(0, end);
}
