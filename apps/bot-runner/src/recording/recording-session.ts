import type { Recorder, RecorderHealth } from '@rapporteur/recorder';
import type { FragmentStore } from './fragment-store.ts';
import type { RunContext } from '../run-context.ts';

export interface RecordingSessionPorts extends Pick<RunContext, 'report' | 'clock' | 'logger'> {
  readonly recorder: Omit<Recorder, 'install' | 'moveTo'>;
  readonly fragments: Pick<FragmentStore, 'count' | 'hasContent' | 'recordedMs' | 'fence' | 'keepEnd'>;
}

/** Every fragment's record contains all of them. */
const pausesMax = 500;
/** A share of full scale, over a second: below any speech, above room noise. */
const audioRms = 0.01;

/** The recording of one attendance: starts, pauses, resumes and stops it, and reports each to bot-scheduler. */
export class RecordingSession {
  readonly #ports: RecordingSessionPorts;
  #state: 'idle' | 'recording' | 'paused' = 'idle';
  #sinceMs: number | null = null;
  #runsSinceMs = 0;
  #pausedAtMs = 0;
  #pausedMs = 0;
  #audioAtMs: number | null = null;
  /** Nothing is captured: the page is lost, or its capture restarts. */
  #broken = false;
  #starting: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | null = null;

  constructor(ports: RecordingSessionPorts) {
    this.#ports = ports;
  }

  get state(): 'idle' | 'recording' | 'paused' {
    return this.#state;
  }

  /** Epoch ms; null before. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** Since when it records without a pause or a break, epoch ms; null while it does not. */
  get runsSinceMs(): number | null {
    return this.#state === 'recording' && !this.#broken ? this.#runsSinceMs : null;
  }

  /** When the recording last held audio, or its level was unknown, epoch ms; null before. */
  get audioAtMs(): number | null {
    return this.#audioAtMs;
  }

  /** Whether the last second held audio. */
  get hasAudio(): boolean {
    return this.#state === 'recording' && !this.#broken && this.health().audioLevel.rms >= audioRms;
  }

  /** What is on the disk. */
  get fragments(): RecordingSessionPorts['fragments'] {
    return this.#ports.fragments;
  }

  health(): RecorderHealth {
    return this.#ports.recorder.health();
  }

  /**
   * Starts, or continues after `breakOff` in the current page; calls run one after the other.
   * @throws Error when the page does not capture: then nothing is recorded
   */
  async start(): Promise<void> {
    this.#starting = this.#starting.catch(() => undefined).then(() => this.#start());
    await this.#starting;
  }

  async #start(): Promise<void> {
    const { recorder, report, clock } = this.#ports;
    const { startedAtMs } = await recorder.start();
    this.#broken = false;
    this.#runsSinceMs = clock.now();
    if (this.#state === 'idle') {
      this.#sinceMs = this.#runsSinceMs;
      this.#state = 'recording';
      report({ kind: 'status', code: 'in_call_recording', startTime: Math.floor(startedAtMs / 1_000) });
    } else this.#audioAtMs = this.#runsSinceMs;
  }

  /** Nothing is captured until `start`. The status that the customer sees does not change. */
  breakOff(): void {
    this.#broken = true;
  }

  /** Ends the capture in this page; `start` begins another one. */
  async releaseCapture(): Promise<void> {
    this.breakOff();
    await this.#ports.recorder.release();
  }

  /** @throws Error with a message for the customer when it cannot be paused: then it continues as before */
  async pause(): Promise<void> {
    const { recorder, report, clock, logger } = this.#ports;
    if (recorder.pauses.length >= pausesMax)
      throw new Error(`It was paused ${pausesMax} times, which is the most a recording can be.`);
    this.#pausedAtMs = clock.now();
    this.#state = 'paused';
    try {
      await recorder.pause();
    } catch (error) {
      this.#unpause();
      throw error;
    }
    logger.info({}, 'The recording is paused.');
    report({ kind: 'status', code: 'recording_paused' });
  }

  /** @throws Error when the page does not resume: then it stays paused */
  async resume(): Promise<void> {
    const { recorder, report, logger } = this.#ports;
    await recorder.resume();
    this.#unpause();
    logger.info({ pausedMs: this.#pausedMs }, 'The recording continues.');
    report({ kind: 'status', code: 'recording_resumed' });
  }

  /** Closes the last fragment and writes the end record. Idempotent, and safe after the page crashed. */
  async stop(): Promise<void> {
    const { recorder, fragments } = this.#ports;
    this.#stopping ??= recorder
      .stop()
      .then((summary) => (recorder.startedAtMs === null ? undefined : fragments.keepEnd(summary)));
    await this.#stopping;
  }

  /** Participants are present: their silence does not end the attendance. */
  noteParticipants(): void {
    this.#audioAtMs = this.#ports.clock.now();
  }

  /** Recorded duration until an epoch time, in ms, from the fragments and the elapsed time. */
  recordedMsAt(atMs: number): number {
    if (this.#sinceMs === null) return 0;
    const open = this.#state === 'paused' ? Math.max(0, atMs - this.#pausedAtMs) : 0;
    return Math.max(this.#ports.fragments.recordedMs, atMs - this.#sinceMs - this.#pausedMs - open);
  }

  /** Records whether the recording holds audio. Call it every second. */
  listen(): void {
    if (this.#state !== 'recording') return;
    const { audioLevel } = this.health();
    // Where audio stopped arriving, silence is unknown: the silence rule restarts.
    if (this.#broken || audioLevel.rms >= audioRms || !audioLevel.captureAlive)
      this.#audioAtMs = this.#ports.clock.now();
  }

  #unpause(): void {
    const nowMs = this.#ports.clock.now();
    this.#pausedMs += nowMs - this.#pausedAtMs;
    this.#runsSinceMs = this.#audioAtMs = nowMs;
    this.#state = 'recording';
  }
}
