import { withinMs } from '../fragments/fragment-outlet.ts';
import type { RecorderPage } from '../recorder-ports.ts';

/** A page that does not respond by then is looked at as it is. */
const revealDeadlineMs = 2_000;

/** Looks at a page whose participants are there to be seen meanwhile. */
export async function withTilesShown<Seen>(page: RecorderPage, sample: () => Promise<Seen>): Promise<Seen> {
  const revealed = page.evaluate('globalThis.rapporteurRecorder?.reveal()');
  await withinMs(revealed, revealDeadlineMs, 'Showing participants in the page').catch(() => undefined);
  try {
    return await sample();
  } finally {
    // Where this fails the page hides them by itself.
    void page.evaluate('globalThis.rapporteurRecorder?.veil()').catch(() => undefined);
  }
}
