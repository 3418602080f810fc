import type { JoinOutcome, MeetingSession, SessionEnd, SessionState } from '@rapporteur/meeting-platforms';
import { unlessAborted, withDeadline } from '@rapporteur/async';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { RecordingSession } from '../recording/recording-session.ts';
import { attemptInPlace } from './attempt-in-place.ts';
import type { RunContext } from '../run-context.ts';

/** How a lost page is replaced: in the same browser, or with a new browser. */
export type Replacement = 'page' | 'browser';

export interface RejoinPorts extends Pick<RunContext, 'clock' | 'logger'> {
  /** Continues when its page is lost. */
  readonly session: MeetingSession;
  readonly recording: RecordingSession;
  /** Replaces the page of the session and the recording. */
  readonly replacePage: (how: Replacement) => Promise<void>;
  readonly joinUrl: string;
  readonly botName: string;
  readonly signedIn: boolean;
  /** An earlier run was in the call: the first join is a rejoin too. */
  readonly continues: boolean;
}

/** Callbacks between the rejoin and its caller. */
export interface RejoinProgress {
  /** The bot is in the call; its recording has not continued yet. */
  readonly joined: () => void;
  /** How the session has ended since; null while it lasts. */
  readonly ended: () => SessionEnd | null;
}

export type RejoinOutcome = { readonly rejoined: true } | { readonly rejoined: false; readonly end: SessionEnd };

/** Rejoins permitted in ten minutes: more would disturb participants without a result. */
const mostRejoins = 3;
const rejoinsCountMs = 10 * 60_000;
const replaceTimeoutMs = 45_000;
/** Until the bot is in the call again or waits for a participant, which the leave rules limit. */
const outsideTimeoutMs = 75_000;
const limited: ReadonlySet<SessionState> = new Set(['waiting-room', 'waiting-for-authorized-user']);
const tickMs = 1_000;
/** A page that responded this recently can leave like a participant. */
const responsesMs = 3_000;
/** Ends that are the page's own failure; all others were decided by participants or the platform, and are final. */
export const pageLost: ReadonlySet<SessionEnd['reason']> = new Set([
  'page-unusable',
  'page-crashed',
  'connection-lost',
]);

/** Rejoins a meeting whose page was lost, inside the same recording. */
export class Rejoin {
  readonly #ports: RejoinPorts;
  readonly #takenAtMs: number[] = [];

  constructor(ports: RejoinPorts) {
    this.#ports = ports;
  }

  mayBeTaken(): boolean {
    const nowMs = this.#ports.clock.now();
    return this.#takenAtMs.filter((atMs) => nowMs - atMs < rejoinsCountMs).length < mostRejoins;
  }

  /**
   * Resolves when the bot is in the call again, or with the reason why not. Rejects only with the signal's reason, at
   * once.
   */
  async take(how: Replacement, progress: RejoinProgress, signal: AbortSignal): Promise<RejoinOutcome> {
    let outcome: RejoinOutcome;
    let reopen = how;
    do {
      const beganAtMs = this.#ports.clock.now();
      this.#takenAtMs.push(beganAtMs);
      this.#ports.logger.warn({ with: reopen, taken: this.#takenAtMs.length }, 'The bot opens the meeting anew.');
      outcome = await this.#takeOnce(reopen, progress, signal);
      const tookMs = this.#ports.clock.now() - beganAtMs;
      this.#ports.logger.info(
        { ...outcome, tookMs },
        outcome.rejoined ? 'The bot rejoined the meeting.' : 'The rejoin failed.',
      );
      reopen = 'browser';
    } while (!outcome.rejoined && pageLost.has(outcome.end.reason) && this.mayBeTaken());
    return outcome;
  }

  /**
   * Joins for the first time; a page that is lost while joining is replaced, after a call of `lost`. Rejects only with
   * the signal's reason.
   * @param requestAtMs when the join control is pressed, epoch ms; null: at once
   */
  async joinFirst(requestAtMs: number | null, lost: () => void, signal: AbortSignal): Promise<JoinOutcome> {
    const { session, joinUrl, botName, signedIn, continues, clock, logger } = this.#ports;
    for (;;) {
      const joining = continues
        ? this.#join(signal)
        : session.join({ joinUrl, botName, requestAtMs, signedIn }, signal);
      const outcome = await joining;
      if (outcome.joined || !isLost(outcome.end) || !this.mayBeTaken()) return outcome;
      this.#takenAtMs.push(clock.now());
      lost();
      logger.warn({ end: outcome.end }, 'The page was lost before the bot was in the call; it opens the meeting anew.');
      if (!(await this.#replace('page', signal))) return outcome;
    }
  }

  async #takeOnce(how: Replacement, progress: RejoinProgress, signal: AbortSignal): Promise<RejoinOutcome> {
    const { session, recording, clock, logger } = this.#ports;
    recording.breakOff();
    if (clock.now() - (session.health().pageRespondedAtMs ?? -Infinity) < responsesMs)
      await unlessAborted(session.leave(), signal);
    if (!(await this.#replace(how, signal))) return this.#failed('page-not-replaced');
    const outcome = await this.#join(signal);
    if (!outcome.joined) return { rejoined: false, end: outcome.end };
    progress.joined();
    // Permission to record was given to the lost page.
    const may = await unlessAborted(session.mayRecord?.(signal) ?? Promise.resolve(), signal).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (!may) return this.#finalEnd(progress) ?? this.#failed('may-not-record-again');
    const isRecording = await unlessAborted(startCapture(recording, logger, signal), signal);
    return isRecording ? { rejoined: true } : (this.#finalEnd(progress) ?? this.#failed('recording-not-continued'));
  }

  /** Participants or the platform ended the session in the meantime: that is final, not a fault to repair. */
  #finalEnd({ ended }: RejoinProgress): RejoinOutcome | null {
    const end = ended();
    return end === null || pageLost.has(end.reason) ? null : { rejoined: false, end };
  }

  async #replace(how: Replacement, signal: AbortSignal): Promise<boolean> {
    try {
      const replaced = withDeadline(this.#ports.replacePage(how), replaceTimeoutMs, 'Opening another page');
      await unlessAborted(replaced, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#ports.logger.error({ err: error }, 'The lost page could not be replaced.');
      return false;
    }
  }

  async #join(signal: AbortSignal): Promise<JoinOutcome> {
    const { session, joinUrl, botName, signedIn } = this.#ports;
    const late = new AbortController();
    const done = new AbortController();
    const last: { state: SessionState } = { state: 'joining' };
    const stopListening = session.onSignal((changed) => {
      if (changed.kind === 'state') last.state = changed.state;
    });
    void this.#limit(late, done.signal, last);
    try {
      return await session.join({ joinUrl, botName, signedIn }, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (signal.aborted || !late.signal.aborted) throw error;
      // The meeting was running: one that waits for a host again is over.
      const isOver = last.state === 'waiting-for-host';
      return { joined: false, end: isOver ? this.#end('not-running', 'ended-by-host') : this.#end('rejoin-timeout') };
    } finally {
      stopListening();
      done.abort();
    }
  }

  async #limit(late: AbortController, done: AbortSignal, last: { readonly state: SessionState }): Promise<void> {
    const { clock } = this.#ports;
    for (
      let outsideMs = 0;
      !done.aborted && outsideMs < outsideTimeoutMs;
      outsideMs += limited.has(last.state) ? 0 : tickMs
    )
      await clock.sleep(tickMs, done).catch(() => undefined);
    if (!done.aborted) late.abort(new Error('The rejoin took too long.'));
  }

  #failed(rule: string): RejoinOutcome {
    return { rejoined: false, end: this.#end(rule) };
  }

  #end(rule: string, reason: SessionEnd['reason'] = 'page-unusable'): SessionEnd {
    return { reason, rule, atMs: this.#ports.clock.now() };
  }
}

/** False when the page does not capture in any attempt. */
export async function startCapture(recording: RecordingSession, logger: Logger, signal: AbortSignal): Promise<boolean> {
  const failed = (error: unknown, attempt: number): void =>
    logger.error({ err: error, attempt }, 'The recording did not start.');
  const starting = attemptInPlace(() => recording.start(), failed, signal);
  return await starting.then(
    () => true,
    () => false,
  );
}

/** Whether a page was lost before the call: any other reason that it reports is accepted. */
function isLost({ reason, rule }: SessionEnd): boolean {
  return reason === 'page-crashed' || rule === 'page-unresponsive';
}
