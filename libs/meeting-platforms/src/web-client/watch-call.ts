import type { SessionEnd, SessionEndReason } from '../platform.ts';
import type { JoinContext } from './join-meeting.ts';
import { PageUnresponsive } from './page-driver.ts';
import type { PageObservation } from './page-driver.ts';
import { endReasonOf } from './page-state.ts';
import type { PageSnapshot, PageState } from './page-state.ts';

const pollMs = 1_000;
const suspiciousPollMs = 300;
const agreeingReads = 2;
const readsBetweenStirs = 5;
/** A page without a response for this long is frozen. */
const silentTimeoutMs = 15_000;
/** A page that shows no call and no reason this long has lost it: a crash screen, a new design. */
const lostTimeoutMs = 20_000;
/** A page that shows its join form was reloaded; it does not rejoin the call by itself. */
const outsideTimeoutMs = 4_000;
const outside: ReadonlySet<PageState> = new Set(['launcher', 'pre-join']);

export interface CallWatch<S extends PageSnapshot> extends JoinContext<S> {
  readonly signal: AbortSignal;
  /** Called with each response of the page, in any state. */
  readonly responded: () => void;
  /** Called with each snapshot that shows the call. */
  readonly seen: (snapshot: S) => void;
}

/**
 * Polls the page each second until the call is over for the bot; dismisses known dialogs meanwhile.
 * @returns the end, or null when the signal stopped the watch
 */
export async function watchCall<S extends PageSnapshot>(watch: CallWatch<S>): Promise<SessionEnd | null> {
  const { clock, signal } = watch;
  let state: PageState = 'in-call';
  let agreeing = 0;
  let respondedAtMs = clock.now();
  let inCallAtMs = clock.now();
  const input = new FreeInput();
  while (!signal.aborted) {
    const observation = await responded(watch);
    const nowMs = clock.now();
    if (observation === null) {
      if (watch.driver.page.isClosed()) return null;
      if (nowMs - respondedAtMs >= silentTimeoutMs) return over(watch, 'page-unusable', 'page-frozen');
    } else {
      respondedAtMs = nowMs;
      watch.responded();
      agreeing = observation.reading.state === state ? agreeing + 1 : 1;
      state = observation.reading.state;
      watch.journal.readBy(observation.reading.rule);
      const reason = endReasonOf(state);
      if (reason !== null && agreeing >= agreeingReads) return over(watch, reason, observation.reading.rule);
      if (state === 'in-call') {
        inCallAtMs = nowMs;
        watch.seen(observation.snapshot);
        if (observation.snapshot.dialogs.length > 0) input.use(() => dismiss(watch, observation.snapshot));
      } else if (reason === null) {
        const limitMs = outside.has(state) && agreeing >= agreeingReads ? outsideTimeoutMs : lostTimeoutMs;
        if (nowMs - inCallAtMs >= limitMs) {
          const lost = over(watch, 'page-unusable', `call-lost: ${observation.reading.rule}`);
          return state === 'lobby' ? { ...lost, putToWait: true } : lost;
        }
        // A call with hidden controls is not recognizable as a call.
        if (agreeing % readsBetweenStirs === 1) input.use(() => watch.driver.serialized(() => watch.driver.stir()));
      }
    }
    await clock.sleep(state === 'in-call' ? pollMs : suspiciousPollMs, signal).catch(() => undefined);
  }
  return null;
}

/**
 * Actions on the page during the watch: never awaited, because another action may use the mouse, or the page may be
 * frozen.
 */
class FreeInput {
  #busy = false;

  /** Runs it unless the previous one is still running. */
  use(work: () => Promise<void>): void {
    if (this.#busy) return;
    this.#busy = true;
    const free = (): void => void (this.#busy = false);
    // A failure shows at the next poll, which retries.
    work().then(free, free);
  }
}

async function responded<S extends PageSnapshot>({ driver }: CallWatch<S>): Promise<PageObservation<S> | null> {
  try {
    return await driver.observe();
  } catch (error) {
    if (error instanceof PageUnresponsive) return null;
    throw error;
  }
}

async function dismiss<S extends PageSnapshot>({ driver, journal }: CallWatch<S>, snapshot: S): Promise<void> {
  const dismissed = await driver.serialized(() => driver.dismissDialogs(snapshot));
  for (const what of dismissed) journal.step(`dismissed-${what}`);
}

function over({ clock }: Pick<JoinContext, 'clock'>, reason: SessionEndReason, rule: string): SessionEnd {
  return { reason, rule, atMs: clock.now() };
}
