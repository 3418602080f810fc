import { doneWithin } from '@rapporteur/async';
import type { BrowserContext, Page } from 'playwright-core';
import type { SessionClock } from '../platform.ts';

/** The external dependencies of a sign-in. */
export interface SignInPorts {
  readonly context: BrowserContext;
  readonly clock: SessionClock;
  readonly signal: AbortSignal;
  /** For the whole sign-in; default 30 000. */
  readonly timeoutMs?: number;
}

export type SignInFailureReason =
  /** The service provider or the identity provider refused the assertion or the request. */
  | 'saml-rejected'
  | 'invalid-credentials'
  | 'captcha'
  | 'mfa-required'
  | 'timeout'
  /** A page that is none of the known steps: it shows nothing about the login. */
  | 'unknown-page';

export type SignInOutcome =
  | { readonly signedIn: true }
  | {
      readonly signedIn: false;
      readonly reason: SignInFailureReason;
      /** A message from the page, safe to show to the customer. */
      readonly message: string;
      readonly finalUrlHost: string | null;
    };

export const defaultTimeoutMs = 30_000;
const pollMs = 250;
const closeTimeoutMs = 2_000;
const pressTimeoutMs = 2_000;
const fieldSelector = 'input:not([type="hidden"], [type="submit"], [type="checkbox"])';

/** What a user sees of a page. */
export interface ShownPage {
  readonly host: string;
  readonly heading: string;
  /** Fields to fill: their names, and their places among the fields of that name. */
  readonly fields: readonly { readonly name: string; readonly place: number }[];
  readonly text: string;
}

/** One read of the page: an outcome, null for a known step, 'unknown' for another page. It may press a button. */
export type SignInStep = (page: Page, shown: ShownPage) => Promise<SignInOutcome | 'unknown' | null>;

/**
 * Runs in a page of its own until a step gives an outcome or the deadline passes. Rejects only with the signal's
 * reason.
 */
export async function runSignIn(ports: SignInPorts, open: string, step: SignInStep): Promise<SignInOutcome> {
  const { context, clock, signal, timeoutMs = defaultTimeoutMs } = ports;
  const deadline = clock.now() + timeoutMs;
  const page = await context.newPage();
  let unknown: ShownPage | null = null;
  try {
    // A page that does not open, or that redirects away while it does, is read all the same.
    const opening = page.goto(open, { waitUntil: 'commit', timeout: timeoutMs }).catch(() => null);
    while (clock.now() < deadline) {
      signal.throwIfAborted();
      const shown = await readShown(page).catch(() => null);
      const outcome = shown === null ? null : await step(page, shown).catch(() => null);
      if (outcome !== null && outcome !== 'unknown') return outcome;
      unknown = outcome === null ? null : shown;
      await clock.sleep(pollMs, signal);
    }
    void opening;
    if (unknown !== null) return unknownPage(page, unknown);
    const host = hostOf(page);
    return failure(
      page,
      'timeout',
      `The sign-in did not complete in ${timeoutMs / 1_000} seconds; it ended at ${host ?? 'no page'}.`,
    );
  } finally {
    await doneWithin(page.close(), closeTimeoutMs, clock).catch(() => undefined);
  }
}

export function failure(page: Page, reason: SignInFailureReason, message: string): SignInOutcome {
  return { signedIn: false, reason, message, finalUrlHost: hostOf(page) };
}

export function hostOf(page: Page): string | null {
  return URL.canParse(page.url()) ? new URL(page.url()).hostname || null : null;
}

/** With the evidence: what the page shows. */
export function unknownPage(page: Page, { host, heading, fields }: ShownPage): SignInOutcome {
  const names = fields.map(({ name }) => name).join(', ') || 'none';
  const what = `heading "${oneLine(heading).slice(0, 100)}", fields ${names.slice(0, 200)}`;
  return failure(page, 'unknown-page', `The bot does not recognise the sign-in page at ${host} (${what}).`);
}

export function oneLine(shown: string): string {
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

/** Sign-in pages keep fields of other steps out of sight: behind aria-hidden, transparent, or without a size. */
async function readShown(page: Page): Promise<ShownPage> {
  const read = await page.locator('body').evaluate(
    (body, selector) => {
      const isShown = (element: Element): boolean => {
        const { width, height, right, bottom } = element.getBoundingClientRect();
        const isVisible = element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
        const isReachable = element.closest('[aria-hidden="true"], [inert]') === null;
        return isVisible && isReachable && width > 1 && height > 1 && right > 0 && bottom > 0;
      };
      const fieldName = (field: Element): string => field.getAttribute('name') ?? '';
      const all = [...body.querySelectorAll(selector)];
      const fields = all.flatMap((field) => {
        const name = fieldName(field);
        const place = all.filter((one) => fieldName(one) === name).indexOf(field);
        return isShown(field) ? [{ name, place }] : [];
      });
      const heading = [...body.querySelectorAll('h1, h2, [role="heading"]')].find(isShown)?.textContent ?? '';
      return { heading, fields, text: (body as HTMLElement).innerText.slice(0, 5_000) };
    },
    fieldSelector,
    { timeout: 1_000 },
  );
  return { host: hostOf(page) ?? '', ...read };
}

/** Fills a shown field and submits its form by one of these controls. False: the field is not shown. */
export async function fillShown(
  page: Page,
  shown: ShownPage,
  { name, value, submit }: { readonly name: string; readonly value: string; readonly submit: string },
): Promise<boolean> {
  const field = shown.fields.find((one) => one.name === name);
  if (field === undefined) return false;
  await page.locator(`${fieldSelector}[name="${name}"]`).nth(field.place).fill(value, { timeout: pressTimeoutMs });
  await press(page, submit);
  return true;
}

export async function press(page: Page, control: string): Promise<void> {
  await page.locator(control).filter({ visible: true }).first().click({ timeout: pressTimeoutMs });
}

/** Signs the browser out of everything: no cookie of the session is left. */
export async function eraseSession(context: BrowserContext): Promise<void> {
  await context.clearCookies();
}
