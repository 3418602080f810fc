import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { CaptureStrategy } from '@rapporteur/contracts';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';

/**
 * Lets the page paint only what somebody needs painted. Before the recording it paints everything, because the way into a
 * meeting is found by what a page shows.
 */
export class PaintControl implements AttendanceListener {
  readonly #session: Pick<MeetingSession, 'paint'>;
  #recording = false;
  /** The video that is recorded is the page's own. */
  #paintingRecorded = false;

  constructor(session: Pick<MeetingSession, 'paint'>) {
    this.#session = session;
  }

  /** The recording takes its video that way from now on. */
  recordsBy(strategy: CaptureStrategy): void {
    if ((strategy === 'tab') === this.#paintingRecorded) return;
    this.#paintingRecorded = strategy === 'tab';
    this.#apply();
  }

  recordingStarted(): void {
    this.#recording = true;
    this.#apply();
  }

  /** Another page, which paints like every new one. */
  rejoined(): void {
    this.#apply();
  }

  #apply(): void {
    if (this.#recording) void this.#session.paint(this.#paintingRecorded);
  }
}
