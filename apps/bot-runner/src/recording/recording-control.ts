import type { RecorderHealth } from '@rapporteur/recorder';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';

import type { ReportBody } from '../reporting/reporter.ts';

/** The recording as far as the attendance drives it. */
export interface AttendanceRecording {
  /** Begins, or goes on after `letGo` or in another page. */
  start(): Promise<{ readonly startedAtMs: number }>;
  letGo(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
  fence(): void;
  health(): RecorderHealth;
  readonly recordedMs: number;
  readonly fragments: number;
}

export interface RecordingControlPorts {
  readonly recording: AttendanceRecording;

  readonly report: (body: ReportBody) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

const starts = 2;
/** Of full scale, over a second: quieter than any speech, louder than a room. */
const audioRms = 0.01;

/** Starts, pauses and resumes the recording, says so to the scheduler, and watches that it grows while it should. */
export class RecordingControl {
  readonly #ports: RecordingControlPorts;
  #state: 'idle' | 'recording' | 'paused' = 'idle';
  #sinceMs: number | null = null;
  /** Since when it records without a pause. */
  #runsSinceMs = 0;
  #pausedAtMs = 0;
  #pausedMs = 0;
  #audioAtMs: number | null = null;
  /** Nothing is captured: its page is lost, or its capture is begun anew. */
  #broken = false;
  #starting: Promise<boolean> | null = null;

  constructor(ports: RecordingControlPorts) {
    this.#ports = ports;
  }

  get state(): 'idle' | 'recording' | 'paused' {
    return this.#state;
  }

  /** Epoch ms; null before. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** Since when it records without a pause or a break; null while it does not. */
  get runsSinceMs(): number | null {
    return this.#state === 'recording' && !this.#broken ? this.#runsSinceMs : null;
  }

  health(): RecorderHealth {
    return this.#ports.recording.health();
  }

  /** When the recording last held audio, or could not have told; null before. */
  get audioAtMs(): number | null {
    return this.#audioAtMs;
  }

  /** False when it could not be started. */
  async start(signal: AbortSignal): Promise<boolean> {
    this.#starting = this.#start(signal);
    return await this.#starting;
  }

  async #start(signal: AbortSignal): Promise<boolean> {
    const { report, clock } = this.#ports;
    return await this.#begin(signal, (startedAtMs) => {
      this.#sinceMs = this.#runsSinceMs = clock.now();
      this.#state = 'recording';
      report({ kind: 'status', code: 'in_call_recording', startTime: Math.floor(startedAtMs / 1_000) });
    });
  }

  async #begin(signal: AbortSignal, begun: (startedAtMs: number) => void): Promise<boolean> {
    const { recording, logger } = this.#ports;
    for (let attempt = 1; attempt <= starts && !signal.aborted; attempt += 1) {
      try {
        const { startedAtMs } = await recording.start();
        this.#broken = false;
        begun(startedAtMs);
        return true;
      } catch (error) {
        logger.error({ err: error, attempt }, 'The recording did not start.');
      }
    }
    return false;
  }

  /** Nothing can be captured until `goOn`. For the customer it goes on, or stays paused, all the same. */
  breakOff(): void {
    this.#broken = true;
  }

  /** After `breakOff`, in the page that is there now; one that had not begun begins. False when it does not. */
  async goOn(signal: AbortSignal): Promise<boolean> {
    await this.#starting;
    if (this.#state === 'idle') return await this.start(signal);
    return await this.#begin(signal, () => {
      this.#runsSinceMs = this.#audioAtMs = this.#ports.clock.now();
    });
  }

  /** Begins the capture anew in the same page. False when that failed: then nothing is recorded. */
  async renew(signal: AbortSignal): Promise<boolean> {
    this.breakOff();
    await this.#ports.recording.letGo();
    return await this.goOn(signal);
  }

  /** @throws Error when the page does not do it: then it goes on as before */
  async pause(): Promise<void> {
    const { recording, report, clock, logger } = this.#ports;
    this.#pausedAtMs = clock.now();
    this.#state = 'paused';
    try {
      await recording.pause();
    } catch (error) {
      this.#unpause();
      throw error;
    }
    logger.info({}, 'The recording is paused.');
    report({ kind: 'status', code: 'recording_paused' });
  }

  /** @throws Error when the page does not do it: then it stays paused */
  async resume(): Promise<void> {
    const { recording, report, logger } = this.#ports;
    await recording.resume();
    this.#unpause();
    logger.info({ pausedMs: this.#pausedMs }, 'The recording goes on.');
    report({ kind: 'status', code: 'recording_resumed' });
  }

  /** Somebody is there whose silence is no reason to go. */
  noteParticipants(): void {
    this.#audioAtMs = this.#ports.clock.now();
  }

  /** How much was recorded until an epoch time, as far as time tells. */
  recordedMsAt(atMs: number): number {
    if (this.#sinceMs === null) return 0;
    const open = this.#state === 'paused' ? Math.max(0, atMs - this.#pausedAtMs) : 0;
    return Math.max(this.#ports.recording.recordedMs, atMs - this.#sinceMs - this.#pausedMs - open);
  }

  /** Listens whether the recording holds audio. Call it every second. */
  listen(): void {
    if (this.#state !== 'recording') return;
    const { audioLevel } = this.#ports.recording.health();
    // Where audio itself stopped arriving, silence proves nothing: the silence rule starts anew.
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
