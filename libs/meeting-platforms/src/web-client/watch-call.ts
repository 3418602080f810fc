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
/** A page that shows no call and no reason this long has lost it: a reload, a crash screen, a new design. */
const lostTimeoutMs = 20_000;

export interface CallWatch<S extends PageLook> extends JoinContext<S> {
  readonly signal: AbortSignal;
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
  while (!signal.aborted) {
    const look = await answered(watch);
    const nowMs = clock.now();
    if (look === null) {
      if (watch.door.page.isClosed()) return null;
      if (nowMs - answeredAtMs >= silentTimeoutMs) return over(watch, 'page-unusable', 'page-frozen');
    } else {
      answeredAtMs = nowMs;
      agreeing = look.reading.state === state ? agreeing + 1 : 1;
      state = look.reading.state;
      watch.journal.readBy(look.reading.rule);
      const reason = endReasonOf(state);
      if (reason !== null && agreeing >= agreeingReads) return over(watch, reason, look.reading.rule);
      if (state === 'in-call') {
        inCallAtMs = nowMs;
        watch.seen(look.snapshot);
        if (look.snapshot.dialogs.length > 0) await dismiss(watch, look.snapshot);
      } else if (reason === null) {
        if (nowMs - inCallAtMs >= lostTimeoutMs) return over(watch, 'page-unusable', `call-lost: ${look.reading.rule}`);
        // A call whose controls have hidden themselves shows nothing of a call.
        if (agreeing % readsBetweenStirs === 1) await watch.door.inTurn(() => watch.door.stir());
      }
    }
    await clock.sleep(state === 'in-call' ? pollMs : suspiciousPollMs, signal).catch(() => undefined);
  }
  return null;
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
