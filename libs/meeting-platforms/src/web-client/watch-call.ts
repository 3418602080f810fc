import type { SessionEnd, SessionEndReason, SessionState } from '../platform.ts';
import type { JoinContext } from './join-meeting.ts';
import { PageUnresponsive } from './page-driver.ts';
import type { PageObservation } from './page-driver.ts';
import { endReasonOf, isDisconnected } from './page-state.ts';
import type { PageReading, PageSnapshot, PageState } from './page-state.ts';

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
/** A waiting room that is shown this long is no text of the call: the bot was put there. */
const waitsAfterMs = 10_000;
const outside: ReadonlySet<PageState> = new Set(['launcher', 'pre-join']);
/** Back from the call to waiting. The page itself returns to the call; a new one would be the last in the queue. */
const waiting: Readonly<Partial<Record<PageState, SessionState>>> = {
  lobby: 'waiting-room',
  'waiting-for-host': 'waiting-for-host',
};

export interface CallWatch<S extends PageSnapshot> extends JoinContext<S> {
  readonly signal: AbortSignal;
  /** Called with each response of the page, in any state. */
  readonly responded: () => void;
  /** Called with each snapshot that shows the call. */
  readonly seen: (snapshot: S) => void;
  /** Since when the client reports a lost connection, epoch ms; null: it does not. */
  readonly disconnected: (sinceMs: number | null) => void;
}

/**
 * Polls the page each second until the call is over for the bot; dismisses known dialogs meanwhile.
 * @returns the end, or null when the signal stopped the watch
 */
export async function watchCall<S extends PageSnapshot>(watch: CallWatch<S>): Promise<SessionEnd | null> {
  const { clock, signal } = watch;
  const call = new WatchedCall(watch);
  let respondedAtMs = clock.now();
  while (!signal.aborted) {
    const observation = await responded(watch);
    if (observation !== null) {
      respondedAtMs = clock.now();
      watch.responded();
      const end = call.follow(observation);
      if (end !== null) return end;
    } else if (watch.driver.page.isClosed()) return null;
    else if (clock.now() - respondedAtMs >= silentTimeoutMs) return over(watch, 'page-unusable', 'page-frozen');
    await clock.sleep(call.isShown ? pollMs : suspiciousPollMs, signal).catch(() => undefined);
  }
  return null;
}

/** What the page has shown of the call until now. */
class WatchedCall<S extends PageSnapshot> {
  readonly #watch: CallWatch<S>;
  readonly #input = new FreeInput();
  #state: PageState = 'in-call';
  #rule = '';
  #agreeing = 0;
  #sinceMs: number;
  #inCallAtMs: number;
  #disconnectedSinceMs: number | null = null;

  constructor(watch: CallWatch<S>) {
    this.#watch = watch;
    this.#sinceMs = this.#inCallAtMs = watch.clock.now();
  }

  get isShown(): boolean {
    return this.#state === 'in-call';
  }

  /** The end, once the page has shown it long enough. */
  follow({ reading, snapshot }: PageObservation<S>): SessionEnd | null {
    const { journal, clock } = this.#watch;
    const nowMs = clock.now();
    this.#note(reading, nowMs);
    const reason = endReasonOf(this.#state);
    const shownMs = nowMs - this.#sinceMs;
    const settled = this.#agreeing >= agreeingReads;
    if (reason !== null)
      return settled && shownMs >= (reading.afterMs ?? 0) ? over(this.#watch, reason, reading.rule) : null;
    const waits = waiting[this.#state];
    if (this.#state === 'in-call') {
      this.#inCallAtMs = nowMs;
      if (journal.state !== 'in-call') journal.enter('in-call');
      this.#watch.seen(snapshot);
    } else if (waits === undefined) return this.#missing(reading, nowMs);
    else if (shownMs >= waitsAfterMs && journal.state !== waits) journal.enter(waits);
    if (snapshot.dialogs.length > 0) this.#input.use(() => dismiss(this.#watch, snapshot));
    return null;
  }

  #note(reading: PageReading, nowMs: number): void {
    const { journal, disconnected } = this.#watch;
    journal.readBy(reading.rule);
    const same = reading.state === this.#state;
    // Each rule has its own time: an end may replace another that does not count yet.
    if (!same || (reading.afterMs !== undefined && reading.rule !== this.#rule)) this.#sinceMs = nowMs;
    this.#agreeing = same ? this.#agreeing + 1 : 1;
    this.#state = reading.state;
    this.#rule = reading.rule;
    const isLost = isDisconnected(reading);
    if (isLost === (this.#disconnectedSinceMs !== null)) return;
    this.#disconnectedSinceMs = isLost ? nowMs : null;
    journal.step(isLost ? `connection-lost: ${reading.rule}` : 'connection-restored');
    disconnected(this.#disconnectedSinceMs);
  }

  /** Neither the call nor a reason is shown. */
  #missing(reading: PageReading, nowMs: number): SessionEnd | null {
    const isLost = this.#disconnectedSinceMs !== null;
    const reloaded = outside.has(this.#state) && this.#agreeing >= agreeingReads;
    // A client that gets its connection back may need longer.
    const limitMs = reloaded ? outsideTimeoutMs : Math.max(lostTimeoutMs, isLost ? (reading.afterMs ?? 0) : 0);
    if (nowMs - this.#inCallAtMs >= limitMs)
      return over(this.#watch, isLost ? 'connection-lost' : 'page-unusable', `call-lost: ${reading.rule}`);
    // A call with hidden controls is not recognizable as a call.
    const { driver } = this.#watch;
    if (this.#agreeing % readsBetweenStirs === 1) this.#input.use(() => driver.serialized(() => driver.stir()));
    return null;
  }
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

async function dismiss<S extends PageSnapshot>({ driver, journal, clock }: CallWatch<S>, snapshot: S): Promise<void> {
  const dismissed = await driver.serialized(() => driver.dismissDialogs(snapshot, clock.now()));
  for (const what of dismissed) journal.step(`dismissed-${what}`);
}

function over({ clock }: Pick<JoinContext, 'clock'>, reason: SessionEndReason, rule: string): SessionEnd {
  return { reason, rule, atMs: clock.now() };
}
