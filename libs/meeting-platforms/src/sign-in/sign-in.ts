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
  'saml-rejected' | 'invalid-credentials' | 'captcha' | 'mfa-required' | 'timeout';

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

/** One read of the page: an outcome, or null to continue. It may press a button. */
export type SignInStep = (page: Page) => Promise<SignInOutcome | null>;

/**
 * Runs in a page of its own until a step gives an outcome or the deadline passes. Rejects only with the signal's
 * reason.
 */
export async function runSignIn(ports: SignInPorts, open: string, step: SignInStep): Promise<SignInOutcome> {
  const { context, clock, signal, timeoutMs = defaultTimeoutMs } = ports;
  const deadline = clock.now() + timeoutMs;
  const page = await context.newPage();
  try {
    // A page that does not open, or that redirects away while it does, is read all the same.
    const opening = page.goto(open, { waitUntil: 'commit', timeout: timeoutMs }).catch(() => null);
    while (clock.now() < deadline) {
      signal.throwIfAborted();
      const outcome = await step(page).catch(() => null);
      if (outcome !== null) return outcome;
      await clock.sleep(pollMs, signal);
    }
    void opening;
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

/** All text of the page; empty while it loads. */
export async function visibleText(page: Page): Promise<string> {
  return await page.locator('body').innerText({ timeout: 1_000 });
}

/** Signs the browser out of everything: no cookie of the session is left. */
export async function eraseSession(context: BrowserContext): Promise<void> {
  await context.clearCookies();
}
