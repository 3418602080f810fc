import type { Page } from 'playwright-core';
import { resultWithin } from './result-within.ts';
import type { SessionEvidence } from './platform.ts';
import type { SessionJournal } from './session-journal.ts';

const evidenceTimeoutMs = 4_000;

/** Evidence about a session after a failure. Parts that the page does not deliver in time are null. */
export async function collectEvidence(page: Page, journal: SessionJournal): Promise<SessionEvidence> {
  const [screenshotPng, title] = await Promise.all([
    resultWithin(page.screenshot({ type: 'png', timeout: evidenceTimeoutMs }), evidenceTimeoutMs),
    resultWithin(page.title(), evidenceTimeoutMs),
  ]);
  return {
    screenshotPng,
    title,
    host: hostOf(page.url()),
    rule: journal.rule,
    state: journal.state,
    steps: [...journal.steps],
    consoleTail: [...journal.consoleTail],
  };
}

/** Host name of a web address; null for blank, error and other inner pages. */
export function hostOf(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null;
}
