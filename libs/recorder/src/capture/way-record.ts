import type { RecordingWay, WayReason } from '@rapporteur/contracts';
import type { CaptureConfig } from '../page/messages.ts';
import type { RecorderLogger, WayChange } from '../recorder-ports.ts';
import type { ReadTurn } from './read-batch.ts';

/** A page that turns to and fro all the time fills no memory. */
const changesKept = 500;
/** Not worth a warning. */
const asPlanned: readonly WayReason[] = ['chosen', 'pinned', 'tried_again', 'offered_again'];

/** By which ways one recording was taken, from its beginning to now. */
export class WayRecord {
  readonly #mode: CaptureConfig['mode'];
  readonly #logger: RecorderLogger;
  readonly #onWay: (way: RecordingWay) => void;
  readonly #changes: WayChange[] = [];
  #picture: RecordingWay;
  thread: 'worker' | 'page' = 'worker';

  constructor(mode: CaptureConfig['mode'], logger: RecorderLogger, onWay: (way: RecordingWay) => void) {
    this.#mode = mode;
    this.#picture = mode === 'audio_only' ? 'sound' : 'tracks';
    this.#logger = logger;
    this.#onWay = onWay;
  }

  get way(): RecordingWay {
    return this.#picture;
  }

  get changes(): readonly WayChange[] {
    return this.#changes;
  }

  /** How it is recorded is known, or was said anew by a capture that began anew. */
  add(turns: readonly ReadTurn[]): void {
    for (const turn of turns) {
      const { part, to, reason } = turn;
      if (this.#changes.length < changesKept) this.#changes.push(turn);
      if (asPlanned.includes(reason)) this.#logger.info({ ...turn }, `The ${part} is taken by the way ${to}.`);
      else this.#logger.warn({ ...turn }, `The ${part} is taken by the way ${to} from now on.`);
      if (part === 'sound' || to === 'played' || this.#mode === 'audio_only') continue;
      this.#picture = to;
      try {
        this.#onWay(to);
      } catch (error) {
        this.#logger.error({ err: error }, 'Whoever follows the ways failed; the recording goes on.');
      }
    }
  }
}
