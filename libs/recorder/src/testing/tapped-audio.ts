import type { RecorderAudioTap } from '../index.ts';

/** Everything a recorder hands out beside its recording. */
export class TappedAudio implements RecorderAudioTap {
  readonly rateHz: number;
  readonly blocks: { readonly startMs: number; readonly samples: Int16Array }[] = [];

  constructor(rateHz: number) {
    this.rateHz = rateHz;
  }

  onAudio(pcm: Buffer, startMs: number): void {
    this.blocks.push({ startMs, samples: new Int16Array(Uint8Array.from(pcm).buffer) });
  }

  /** Distances of blocks with missing audio between them. Below 100 ms: a pause filled the first with silence. */
  jumpsMs(): number[] {
    const steps = this.blocks.map(({ startMs }, index) => startMs - (this.blocks[index - 1]?.startMs ?? startMs - 100));
    return steps.filter((stepMs) => stepMs > 100.5);
  }

  /** The beginnings of loud audio, epoch ms. Audio that is loud at the end of a pause began in the pause. */
  onsetsMs(): number[] {
    const windowMs = 10;
    const length = (this.rateHz * windowMs) / 1_000;
    const onsets: number[] = [];
    let loudBefore = true;
    let next: number | null = null;
    for (const { startMs, samples } of this.blocks) {
      if (next === null || Math.abs(startMs - next) > 0.5) loudBefore = true;
      next = startMs + 100;
      for (let at = 0; at < samples.length; at += length) {
        const loud = samples.subarray(at, at + length).some((sample) => Math.abs(sample) > 1_500);
        if (loud && !loudBefore) onsets.push(startMs + (at / length) * windowMs);
        loudBefore = loud;
      }
    }
    return onsets;
  }
}
