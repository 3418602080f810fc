import type { Page } from 'playwright-core';
import type { VisitEvidence } from './platform.ts';
import type { VisitJournal } from './visit-journal.ts';

const evidenceTimeoutMs = 4_000;

/** What can be told about a visit after a failure. Parts that the page does not give in time are null. */
export async function collectEvidence(page: Page, journal: VisitJournal): Promise<VisitEvidence> {
  const [screenshotPng, title] = await Promise.all([
    orNull(page.screenshot({ type: 'png', timeout: evidenceTimeoutMs })),
    orNull(page.title()),
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

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), evidenceTimeoutMs);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
