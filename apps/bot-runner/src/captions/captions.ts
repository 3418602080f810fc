import type {
  CaptionsAccess,
  CaptionsRefusal,
  CaptionOptions,
  MeetingSession,
  SessionSignal,
} from '@rapporteur/meeting-platforms';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import type { StoryEvent } from '../story/story-event.ts';
import { shownName } from '../story/story-of-session.ts';
import { CaptionLog } from './caption-log.ts';
import type { CaptionSegment } from './caption-log.ts';
import type { RunContext } from '../run-context.ts';

export interface CaptionsPorts extends Pick<RunContext, 'report' | 'clock' | 'logger'> {
  readonly session: Pick<MeetingSession, 'openCaptions' | 'onSignal' | 'health'>;
  readonly options: CaptionOptions;
  /** Keeps what is recorded beside the fragments. */
  readonly keep: (event: StoryEvent) => void;
}

export interface CaptionsListener {
  segment(segment: CaptionSegment): void;
  /** No captions will arrive. */
  unavailable(reason: CaptionsRefusal): void;
}

const openTimeoutMs = 30_000;
/** A meeting page may take half a minute to load its controls. */
const controlsTimeoutMs = 60_000;
const againAfterMs = 5_000;
/** Participants have spoken for this long since captions were turned on, and none has arrived. */
const silentMs = 30_000;
const tickMs = 1_000;

/**
 * The meeting's own captions: turned on after joining, kept while the recording runs, and reported as missing where
 * there are none.
 */
export class Captions implements AttendanceListener {
  readonly #ports: CaptionsPorts;
  readonly #log = new CaptionLog();
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<CaptionsListener>();
  readonly #stopListening: () => void;
  #isOn = false;
  #status: 'unknown' | 'on' | CaptionsRefusal = 'unknown';
  #spokenMs = 0;
  #received = false;
  #refusal: CaptionsRefusal | null = null;
  #isOpening = false;

  constructor(ports: CaptionsPorts) {
    this.#ports = ports;
    this.#stopListening = ports.session.onSignal((signal) => this.#receive(signal));
  }

  /** @returns a function that ends it. A listener added after captions were found missing is notified at once. */
  listen(listener: CaptionsListener): () => void {
    this.#listeners.add(listener);
    if (this.#refusal !== null) listener.unavailable(this.#refusal);
    return () => void this.#listeners.delete(listener);
  }

  joined(): void {
    void this.#open();
    void this.#watch();
  }

  rejoined(): void {
    this.#isOn = false;
    void this.#open();
  }

  recordingStarted(): void {
    this.#log.recordingStarted(this.#ports.clock.now());
  }

  recordingPaused(): void {
    this.#log.recordingPaused();
  }

  recordingResumed(): void {
    this.#log.recordingResumed(this.#ports.clock.now());
  }

  async over(): Promise<void> {
    this.#stopListening();
    this.#stopping.abort();
  }

  async #open(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    const { clock } = this.#ports;
    const untilMs = clock.monotonic() + controlsTimeoutMs;
    let access = await this.#tryOnce();
    while (!access.on && access.mayCome === true && clock.monotonic() + againAfterMs <= untilMs) {
      await clock.sleep(againAfterMs, this.#stopping.signal).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      access = await this.#tryOnce();
    }
    this.#isOpening = false;
    if (this.#stopping.signal.aborted) return;
    this.#isOn = access.on;
    this.#notify(access);
  }

  async #tryOnce(): Promise<CaptionsAccess> {
    const { session, options, logger } = this.#ports;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(openTimeoutMs)]);
    return await session.openCaptions(options, signal).catch((error: unknown) => {
      logger.warn({ err: error }, 'The captions could not be turned on.');
      return { on: false, reason: 'control_failed', what: 'The page did not respond.', mayCome: true } as const;
    });
  }

  async #watch(): Promise<void> {
    const { clock, session } = this.#ports;
    while (!this.#stopping.signal.aborted) {
      await clock.sleep(tickMs, this.#stopping.signal).catch(() => undefined);
      const isSpoken = clock.now() - (session.health().certainSpeechAtMs ?? 0) < 2 * tickMs;
      if (isSpoken && this.#isOn) this.#spokenMs += tickMs;
      if (!this.#received && this.#spokenMs > silentMs) {
        const what = 'Captions are on and participants speak, but none come: the meeting may not allow them.';
        this.#notify({ on: false, reason: 'none_received', what });
      }
    }
  }

  #receive(signal: SessionSignal): void {
    if (signal.kind !== 'caption' || this.#stopping.signal.aborted) return;
    if (!this.#received) {
      this.#received = true;
      this.#notify({ on: true, language: signal.caption.language });
    }
    for (const segment of this.#log.take({ ...signal.caption, name: shownName(signal.caption.name) })) {
      this.#ports.keep({ kind: 'caption', ...segment });
      for (const listener of this.#listeners) listener.segment(segment);
    }
  }

  #notify(access: CaptionsAccess): void {
    const { report, keep, logger, clock } = this.#ports;
    const status = access.on ? 'on' : access.reason;
    if (this.#status === status) return;
    this.#status = status;
    this.#refusal = access.on ? null : access.reason;
    if (access.on) logger.info({ language: access.language }, "The meeting's captions are on.");
    else logger.warn({ reason: access.reason, what: access.what }, 'The bot reads no captions in this meeting.');
    keep({ kind: 'captions', atMs: clock.now(), available: access.on, reason: this.#refusal });
    report({ kind: 'captions-status', available: access.on, reason: this.#refusal });
    if (!access.on) for (const listener of this.#listeners) listener.unavailable(access.reason);
  }
}
