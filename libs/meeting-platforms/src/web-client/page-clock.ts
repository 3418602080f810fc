import { loadPageScript } from '@rapporteur/page-scripts';
import type { Page } from 'playwright-core';
import type { SessionClock } from '../platform.ts';
import type { PageClockOptions } from './page-clock.page.ts';

const pageScript = new URL('./page-clock.page.ts', import.meta.url);
const bindingName = 'rapporteurClock';

/** Before the page is opened: its scripts, and the recorder in it, take their times from the session's clock. */
export async function preparePageClock(page: Page, clock: SessionClock): Promise<void> {
  // The script calls the binding at once: one after the other.
  await page.exposeBinding(bindingName, () => clock.now());
  await page.addInitScript({ content: loadPageScript(pageScript, { bindingName } satisfies PageClockOptions) });
}
