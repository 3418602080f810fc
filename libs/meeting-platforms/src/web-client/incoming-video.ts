import type { SessionClock } from '../platform.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { PageSnapshot } from './page-state.ts';
import type { PageDriver } from './page-driver.ts';
import { repeatPress, seeInTime } from './repeat-press.ts';

const timeoutMs = 20_000;
const menuOpensMs = 1_500;
const againMs = 1_000;

interface IncomingVideoPorts<S extends PageSnapshot> {
  readonly driver: PageDriver<S>;
  readonly journal: SessionJournal;
  readonly clock: SessionClock;
}

/**
 * Presses the page's own control that stops the videos of others, for a bot that records none. Without the control, or
 * when it does not respond, the videos are received as before: only the cost differs. Never throws.
 */
export async function stopIncomingVideo<S extends PageSnapshot>(
  { driver, journal, clock }: IncomingVideoPorts<S>,
  signal: AbortSignal,
): Promise<void> {
  if (driver.client.elements.stopIncomingVideo === undefined) return;
  const stops = async (): Promise<boolean> => (await driver.find('startIncomingVideo')) !== null;
  const sees = async (): Promise<boolean> => (await driver.find('stopIncomingVideo')) !== null || (await stops());
  let stopped = false;
  const press = async (): Promise<boolean> => {
    if (!(await sees())) {
      // Controls hide themselves until the mouse moves.
      await driver.stir();
      if (!(await driver.press('moreControls'))) return false;
      if (!(await seeInTime(sees, { timeoutMs: menuOpensMs, clock, signal }))) {
        await driver.input.strike('Escape');
        return true;
      }
    }
    stopped = (await stops()) || (await driver.press('stopIncomingVideo'));
    if (stopped) await driver.input.strike('Escape');
    return stopped;
  };
  const { happened } = await repeatPress(
    {
      happened: async () => stopped || driver.gone,
      press: () => driver.serialized(press).catch(() => false),
      againMs,
      timeoutMs,
    },
    clock,
    signal,
  );
  journal.step(happened && stopped ? 'incoming-video-stopped' : 'incoming-video-control-missing');
}
