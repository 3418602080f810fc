import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { CaptureStrategy } from '@rapporteur/contracts';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';

/**
 * Lets the page paint only when the recording needs it. Before the recording the page always paints, because joining
 * depends on what it shows.
 */
export class PaintControl implements AttendanceListener {
  readonly #session: Pick<MeetingSession, 'paint'>;
  #recording = false;
  /** The recorded video is captured from the painted page. */
  #paintingRecorded = false;

  constructor(session: Pick<MeetingSession, 'paint'>) {
    this.#session = session;
  }

  /** The recording uses this strategy from now on. */
  recordsBy(strategy: CaptureStrategy): void {
    if ((strategy === 'tab') === this.#paintingRecorded) return;
    this.#paintingRecorded = strategy === 'tab';
    this.#apply();
  }

  recordingStarted(): void {
    this.#recording = true;
    this.#apply();
  }

  /** Another page, which paints by default. */
  rejoined(): void {
    this.#apply();
  }

  #apply(): void {
    if (this.#recording) void this.#session.paint(this.#paintingRecorded);
  }
}
