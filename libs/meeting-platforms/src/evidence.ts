import { loadPageScript } from '@rapporteur/page-scripts';
import type { Frame, Page } from 'playwright-core';
import { resultWithin } from './result-within.ts';
import type { MarkupOptions, PageMarkup } from './page-markup.page.ts';
import type { PagePackUse, SessionEvidence } from './platform.ts';
import type { SessionJournal } from './session-journal.ts';

const evidenceTimeoutMs = 4_000;

const markupScript = new URL('./page-markup.page.ts', import.meta.url);
type MarkupGlobal = { rapporteurMarkup?: (options: MarkupOptions) => PageMarkup };

export interface EvidenceSource {
  readonly page: Page;
  readonly journal: SessionJournal;
  /** The frame of the client and what to leave out of its markup; null: without markup. */
  readonly markup: { readonly frame: Frame; readonly options: MarkupOptions } | null;
}

/** Evidence about a session after a failure. Parts that the page does not deliver in time are null. */
export async function collectEvidence({
  page,
  journal,
  markup,
}: EvidenceSource): Promise<Omit<SessionEvidence, keyof PagePackUse>> {
  const [screenshotPng, title, pageMarkup] = await Promise.all([
    resultWithin(page.screenshot({ type: 'png', timeout: evidenceTimeoutMs }), evidenceTimeoutMs),
    resultWithin(page.title(), evidenceTimeoutMs),
    markup === null ? null : resultWithin(readMarkup(markup.frame, markup.options), evidenceTimeoutMs),
  ]);
  return {
    screenshotPng,
    pageMarkup,
    title,
    host: hostOf(page.url()),
    state: journal.state,
    steps: [...journal.steps],
    consoleTail: [...journal.consoleTail],
  };
}

/** Rejects when the page is gone; the caller limits the time. */
export async function readMarkup(frame: Frame, options: MarkupOptions): Promise<PageMarkup | null> {
  await frame.evaluate(loadPageScript(markupScript));
  return await frame.evaluate((given) => (globalThis as MarkupGlobal).rapporteurMarkup?.(given) ?? null, options);
}

/** Host name of a web address; null for blank, error and other inner pages. */
export function hostOf(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null;
}
