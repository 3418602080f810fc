import type { VisitEnd, VisitEndReason } from '../platform.ts';
import type { JoinContext } from './join-meeting.ts';
import type { PageLook } from './page-client.ts';
import { PageSilent } from './page-door.ts';
import type { Look } from './page-door.ts';
import { endReasonOf } from './page-state.ts';
import type { PageState } from './page-state.ts';

const pollMs = 1_000;
const suspiciousPollMs = 300;
const agreeingReads = 2;
const readsBetweenStirs = 5;
/** A page that answers nothing this long is frozen. */
const silentTimeoutMs = 15_000;
/** A page that shows no call and no reason this long has lost it: a crash screen, a new design. */
const lostTimeoutMs = 20_000;
/** A page that asks the bot in again was loaded anew; it does not find its way back into the call by itself. */
const outsideTimeoutMs = 4_000;
const outside: ReadonlySet<PageState> = new Set(['launcher', 'pre-join']);

export interface CallWatch<S extends PageLook> extends JoinContext<S> {
  readonly signal: AbortSignal;
  /** Each answer of the page, whatever it shows. */
  readonly answered: () => void;
  /** Each look at the page while it shows the call. */
  readonly seen: (snapshot: S) => void;
}

/**
 * Looks at the page each second until the call is over for the bot; presses known dialogs away meanwhile.
 * @returns the end, or null when the signal stopped the watch
 */
export async function watchCall<S extends PageLook>(watch: CallWatch<S>): Promise<VisitEnd | null> {
  const { clock, signal } = watch;
  let state: PageState = 'in-call';
  let agreeing = 0;
  let answeredAtMs = clock.now();
  let inCallAtMs = clock.now();
  const hands = new FreeHands();
  while (!signal.aborted) {
    const look = await answered(watch);
    const nowMs = clock.now();
    if (look === null) {
      if (watch.door.page.isClosed()) return null;
      if (nowMs - answeredAtMs >= silentTimeoutMs) return over(watch, 'page-unusable', 'page-frozen');
    } else {
      answeredAtMs = nowMs;
      watch.answered();
      agreeing = look.reading.state === state ? agreeing + 1 : 1;
      state = look.reading.state;
      watch.journal.readBy(look.reading.rule);
      const reason = endReasonOf(state);
      if (reason !== null && agreeing >= agreeingReads) return over(watch, reason, look.reading.rule);
      if (state === 'in-call') {
        inCallAtMs = nowMs;
        watch.seen(look.snapshot);
        if (look.snapshot.dialogs.length > 0) hands.use(() => dismiss(watch, look.snapshot));
      } else if (reason === null) {
        const limitMs = outside.has(state) && agreeing >= agreeingReads ? outsideTimeoutMs : lostTimeoutMs;
        if (nowMs - inCallAtMs >= limitMs) {
          const lost = over(watch, 'page-unusable', `call-lost: ${look.reading.rule}`);
          return state === 'lobby' ? { ...lost, putToWait: true } : lost;
        }
        // A call whose controls have hidden themselves shows nothing of a call.
        if (agreeing % readsBetweenStirs === 1) hands.use(() => watch.door.inTurn(() => watch.door.stir()));
      }
    }
    await clock.sleep(state === 'in-call' ? pollMs : suspiciousPollMs, signal).catch(() => undefined);
  }
  return null;
}

/** What is done to the page while it is watched: never waited for, as others may have the mouse, or the page be frozen. */
class FreeHands {
  #busy = false;

  /** Does it unless the last thing is still being done. */
  use(work: () => Promise<void>): void {
    if (this.#busy) return;
    this.#busy = true;
    const free = (): void => void (this.#busy = false);
    // What failed is seen at the next look, and tried again.
    work().then(free, free);
  }
}

async function answered<S extends PageLook>({ door }: CallWatch<S>): Promise<Look<S> | null> {
  try {
    return await door.look();
  } catch (error) {
    if (error instanceof PageSilent) return null;
    throw error;
  }
}

async function dismiss<S extends PageLook>({ door, journal }: CallWatch<S>, snapshot: S): Promise<void> {
  const dismissed = await door.inTurn(() => door.dismissDialogs(snapshot));
  for (const what of dismissed) journal.step(`dismissed-${what}`);
}

function over({ clock }: Pick<JoinContext, 'clock'>, reason: VisitEndReason, rule: string): VisitEnd {
  return { reason, rule, atMs: clock.now() };
}
