import type { JoinOutcome, SessionEnd, SessionEndReason, SessionState } from '@rapporteur/meeting-platforms';
import { HealthChecks } from './health-checks.ts';
import type { Finding } from './health-checks.ts';
import { pageLost, Rejoin, startCapture } from './rejoin.ts';
import type { RejoinPorts, Replacement } from './rejoin.ts';

/** Why the attendance ends when no recovery action is left. */
export type RecoveryFailure =
  | { readonly kind: 'session'; readonly end: SessionEnd }
  | { readonly kind: 'broken'; readonly what: string }
  /** The page was lost, and the rejoin ended like this. */
  | { readonly kind: 'rejoin-failed'; readonly what: string; readonly end: SessionEnd; readonly lostAtMs: number };

export interface RecoverySupervisorPorts extends RejoinPorts {
  readonly withVideo: boolean;
  /** `signal` aborts as soon as the attendance ends for any reason. */
  readonly ending: { readonly signal: AbortSignal; notify(cause: RecoveryFailure): void };
  /** The bot is out of the call, rejoining it. */
  readonly away: () => void;
  /** The bot is in the call again. */
  readonly rejoined: () => void;
}

const lossShowsMs = 1_000;
export const captureFailed = 'The recording could not be started in the meeting page.';
const losses: Readonly<Partial<Record<SessionEndReason, string>>> = {
  'page-crashed': 'The browser page of the meeting crashed.',
  'connection-lost': 'The connection to the meeting was lost.',
};

/** What happened to a session that ended for this reason, as a sentence. */
export function lossWords(reason: SessionEndReason): string {
  return losses[reason] ?? 'The browser page of the meeting stopped working.';
}

/** Keeps the bot in its call and its recording growing: checks both and applies recovery actions. */
export class RecoverySupervisor {
  readonly #ports: RecoverySupervisorPorts;
  readonly #rejoin: Rejoin;
  readonly #checks = new HealthChecks();
  #working: Promise<void> | null = null;
  #returning = false;
  #returnIsDue = false;
  #inCallSinceMs: number | null = null;
  /** How the session ended after a rejoin, while its recording had yet to continue. */
  #endedAgain: SessionEnd | null = null;
  #putToWait = false;

  constructor(ports: RecoverySupervisorPorts) {
    this.#ports = ports;
    this.#rejoin = new Rejoin(ports);
  }

  /**
   * Joins for the first time, with another page where one is lost while joining. Rejects only with the reason of the
   * end.
   * @param requestAtMs when the join control is pressed, epoch ms; null: at once
   */
  async join(requestAtMs: number | null): Promise<JoinOutcome> {
    const { ending, away, clock } = this.#ports;
    const outcome = await this.#rejoin.joinFirst(requestAtMs, away, ending.signal);
    if (outcome.joined) this.#inCallSinceMs = clock.now();
    return outcome;
  }

  /** Another page is joining the meeting. */
  get isReturning(): boolean {
    return this.#returning;
  }

  /** The bot was moved to the waiting room, and has not been in the call since. */
  get wasPutToWait(): boolean {
    return this.#putToWait;
  }

  /**
   * Starts the recording once the platform allows it. False when that fails, also with another page in place of one
   * that is lost or does not capture.
   */
  async startRecording(): Promise<boolean> {
    const { session, recording, clock, ending, logger } = this.#ports;
    const may = await Promise.resolve(session.mayRecord?.(ending.signal)).then(
      () => true,
      () => false,
    );
    if (may && (await startCapture(recording, logger, ending.signal))) return true;
    // A lost page is detected soon, and replaced.
    await clock.sleep(lossShowsMs, ending.signal).catch(() => undefined);
    if (may && this.#working === null && this.#inCallSinceMs !== null && this.#rejoin.mayBeTaken())
      this.#work(() => this.#return('page', captureFailed));
    while (this.#working !== null) await this.#working;
    return recording.state !== 'idle';
  }

  /**
   * Follows the session between the call and a waiting room, in the same page: nothing is recorded in between. False
   * where its state changes otherwise.
   */
  follow(state: SessionState): boolean {
    if (this.#returning) return false;
    if (state.startsWith('waiting-') && this.#inCallSinceMs !== null) {
      this.#inCallSinceMs = null;
      this.#putToWait = true;
      this.#work(() => this.#ports.recording.releaseCapture());
      return true;
    }
    if (state !== 'in-call' || !this.#putToWait) return false;
    this.#inCallSinceMs = this.#ports.clock.now();
    this.#putToWait = false;
    this.#work(() => this.#continue());
    return true;
  }

  /** Call it every second. */
  poll(): void {
    const { session, recording, withVideo, clock } = this.#ports;
    recording.listen();
    if (this.#working !== null || this.#inCallSinceMs === null) return;
    const finding = this.#checks.poll({
      nowMs: clock.now(),
      inCallSinceMs: this.#inCallSinceMs,
      recordsSinceMs: recording.runsSinceMs,
      withVideo,
      session: session.health(),
      recorder: recording.health(),
      mayReturn: this.#rejoin.mayBeTaken(),
    });
    if (finding !== null) this.#recover(finding);
  }

  /** Handles the end of a session that was in the call. False when the attendance ends with it. */
  handles(end: SessionEnd): boolean {
    if (this.#returning) {
      // Signals of the lost page are ignored; those of the new one count once the rejoin is done.
      if (this.#inCallSinceMs !== null) this.#endedAgain ??= end;
      return true;
    }
    if (!pageLost.has(end.reason) || !this.#rejoin.mayBeTaken()) return false;
    const what = lossWords(end.reason);
    this.#ports.logger.warn({ end }, what);
    this.#returnIsDue = true;
    this.#work(() => this.#return('page', what));
    return true;
  }

  #recover(finding: Finding): void {
    const { ending, recording, logger } = this.#ports;
    const { action, what } = finding;
    logger.warn({ ...finding, health: recording.health() }, what);
    if (action === 'end') ending.notify({ kind: 'broken', what });
    else if (action === 'renew-capture') this.#work(() => this.#renew(what));
    else if (action !== 'bear') this.#work(() => this.#return(action === 'new-page' ? 'page' : 'browser', what));
  }

  #work(what: () => Promise<void>): void {
    // A page may be lost while its capture is being renewed: one after the other.
    const before = this.#working ?? Promise.resolve();
    const mine: Promise<void> = before.then(what).catch((error: unknown) => {
      if (this.#ports.ending.signal.aborted) return;
      this.#ports.logger.error({ err: error }, 'The recovery of the attendance failed unexpectedly.');
      this.#ports.ending.notify({ kind: 'broken', what: 'An unexpected error occurred while the bot was attending.' });
    });
    this.#working = mine;
    void mine.then(() => {
      if (this.#working === mine) this.#working = null;
    });
  }

  /** After the waiting room. A recording that has not begun begins by itself. */
  async #continue(): Promise<void> {
    const { session, recording, ending } = this.#ports;
    if (recording.state === 'idle') return;
    await session.mayRecord?.(ending.signal);
    await this.#renew('The recording did not continue after the waiting room.');
  }

  async #renew(what: string): Promise<void> {
    const { recording, ending, logger } = this.#ports;
    if (ending.signal.aborted) return;
    await recording.releaseCapture();
    if ((await startCapture(recording, logger, ending.signal)) || ending.signal.aborted) return;
    if (this.#returnIsDue) return;
    // Without a capture no health check is possible.
    if (this.#rejoin.mayBeTaken()) return await this.#return('page', what);
    ending.notify({ kind: 'broken', what });
  }

  async #return(how: Replacement, what: string): Promise<void> {
    const { ending, clock } = this.#ports;
    if (ending.signal.aborted) return;
    const lostAtMs = clock.now();
    this.#returning = true;
    this.#returnIsDue = false;
    this.#inCallSinceMs = null;
    this.#endedAgain = null;
    try {
      this.#ports.away();
      const joined = (): void => {
        this.#inCallSinceMs = clock.now();
        this.#endedAgain = null;
      };
      const outcome = await this.#rejoin.take(how, { joined, ended: () => this.#endedAgain }, ending.signal);
      if (!outcome.rejoined) return ending.notify({ kind: 'rejoin-failed', what, end: outcome.end, lostAtMs });
      this.#putToWait = false;
      this.#ports.rejoined();
    } finally {
      this.#returning = false;
    }
    const end: SessionEnd | null = this.#endedAgain;
    if (end !== null && !this.handles(end)) ending.notify({ kind: 'session', end });
  }
}
