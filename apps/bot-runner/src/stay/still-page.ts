import type { MeetingVisit } from '@rapporteur/meeting-platforms';
import type { RecordingWay } from '@rapporteur/contracts';
import type { Companion } from '../attendance/companion.ts';

/**
 * Lets the page paint only what somebody needs painted. Before the recording it paints everything, because the way into a
 * meeting is found by what a page shows.
 */
export class StillPage implements Companion {
  readonly #visit: Pick<MeetingVisit, 'paint'>;
  #recording = false;
  /** The picture that is recorded is the page's own. */
  #paintingRecorded = false;

  constructor(visit: Pick<MeetingVisit, 'paint'>) {
    this.#visit = visit;
  }

  /** The recording takes its picture that way from now on. */
  recordsBy(way: RecordingWay): void {
    if ((way === 'tab') === this.#paintingRecorded) return;
    this.#paintingRecorded = way === 'tab';
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
    if (this.#recording) void this.#visit.paint(this.#paintingRecorded);
  }
}
