/** In a batch: less is inaudible. */
const lateAudioMs = 20;

/** Totals of a mix since its beginning. */
export interface MixTotals {
  /** Audible audio that arrived too late to be mixed. */
  readonly lateMs: number;
  /** Times a track's audio was not contiguous. */
  readonly jumps: number;
}

/** Decides for each batch whether its mix lacks audio. */
export class LostAudio {
  #before: MixTotals = { lateMs: 0, jumps: 0 };
  /** Whether the last batch lacks some. */
  isLost = false;

  /**
   * Call it once for each batch. A track jumps after a pause of its own: only several jumps, or one on a busy machine,
   * are lost audio.
   */
  observe({ lateMs, jumps }: MixTotals, isBusy: boolean): void {
    const { lateMs: lateBeforeMs, jumps: jumpsBefore } = this.#before;
    this.#before = { lateMs, jumps };
    this.isLost = lateMs - lateBeforeMs >= lateAudioMs || jumps - jumpsBefore >= (isBusy ? 1 : 2);
  }
}
