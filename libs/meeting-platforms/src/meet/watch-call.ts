import type { VisitEnd, VisitEndReason } from '../platform.ts';
import { endReasonOf } from './join.ts';
import type { JoinContext } from './join.ts';
import { PageSilent } from './page-door.ts';
import type { MeetPageSnapshot, MeetPageState } from './page-state.ts';

const pollMs = 1_000;
const suspiciousPollMs = 300;
const agreeingReads = 2;
/** A page that answers nothing this long is frozen. */
const silentTimeoutMs = 15_000;
/** A page that shows no call and no reason this long has lost it: a reload, a crash screen, a new design. */
const lostTimeoutMs = 20_000;

export interface CallWatch extends JoinContext {
  readonly signal: AbortSignal;
  /** Each look at the page while it shows the call. */
  readonly seen: (snapshot: MeetPageSnapshot) => void;
}

/**
 * Looks at the page each second until the call is over for the bot; presses known dialogs away meanwhile.
 * @returns the end, or null when the signal stopped the watch
 */
export async function watchCall(watch: CallWatch): Promise<VisitEnd | null> {
  const { clock, signal } = watch;
  let state: MeetPageState = 'in-call';
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
      } else if (reason === null && nowMs - inCallAtMs >= lostTimeoutMs) {
        return over(watch, 'page-unusable', `call-lost: ${look.reading.rule}`);
      }
    }
    await clock.sleep(state === 'in-call' ? pollMs : suspiciousPollMs, signal).catch(() => undefined);
  }
  return null;
}

async function answered({ door }: CallWatch): Promise<Awaited<ReturnType<CallWatch['door']['look']>> | null> {
  try {
    return await door.look();
  } catch (error) {
    if (error instanceof PageSilent) return null;
    throw error;
  }
}

async function dismiss({ door, journal }: CallWatch, snapshot: MeetPageSnapshot): Promise<void> {
  const dismissed = await door.inTurn(() => door.dismissDialogs(snapshot));
  for (const what of dismissed) journal.step(`dismissed-${what}`);
}

function over({ clock }: CallWatch, reason: VisitEndReason, rule: string): VisitEnd {
  return { reason, rule, atMs: clock.now() };
}
