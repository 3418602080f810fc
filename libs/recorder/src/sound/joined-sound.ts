import { windowOf } from './adts.ts';
import type { EncodedSound } from './encode-sound.ts';
import { encodeSound } from './encode-sound.ts';
import type { SoundEncoderOptions } from './encode-sound.ts';
import { numberedFlacFrame } from './flac-frames.ts';
import { frameSamples, jointFrames } from './sound-grid.ts';

/** Frames that follow on those before. AAC begins one frame before the sound does: a decoder needs it to get going. */
export interface SoundFrames {
  readonly aac: readonly Buffer[];
  readonly flac: readonly Buffer[];
}

/** Frames handed on at once. */
const framesAtOnce = 1_000;

/** Joins pieces of encoded sound on the recording's time, with silence where there is no piece. */
export class JoinedSound {
  readonly #encoder: SoundEncoderOptions;
  readonly #onFrames: (frames: SoundFrames) => Promise<void>;
  #nextAac = -1;
  #nextFlac = 0;
  /** Of the last piece: what may still give way to the next one. */
  #last: AacPiece | null = null;
  #silence: { aac: Buffer; flac: Buffer } | null = null;

  constructor(encoder: SoundEncoderOptions, onFrames: (frames: SoundFrames) => Promise<void>) {
    this.#encoder = encoder;
    this.#onFrames = onFrames;
  }

  /** The piece after the last one; its frames are counted from `offsetFrame`. */
  async add(sound: EncodedSound, offsetFrame: number): Promise<void> {
    const first = offsetFrame + sound.firstFrame;
    if (this.#nextFlac < first) await this.fill(first);
    const piece = { firstFrame: offsetFrame + sound.firstAacFrame, aac: sound.aac };
    const joint = this.#last === null ? this.#nextAac : jointOf(this.#last, piece, first);
    const before = this.#takeLast(joint);
    const end = first + sound.flac.length;
    const own = piece.aac.slice(this.#nextAac - piece.firstFrame, end - jointFrames - piece.firstFrame);
    this.#nextAac += own.length;
    this.#last = piece;
    const flac = sound.flac.map((frame, index) => numberedFlacFrame(frame, first + index));
    this.#nextFlac = end;
    await this.#onFrames({ aac: [...before, ...own], flac });
  }

  /** Ends the last piece there, and is silent from where there is none. */
  async fill(endFrame: number): Promise<void> {
    const before = this.#takeLast(Math.min(this.#nextFlac, endFrame));
    this.#last = null;
    if (before.length > 0) await this.#onFrames({ aac: before, flac: [] });
    while (this.#nextAac < endFrame || this.#nextFlac < endFrame) {
      const { aac, flac } = await this.#silentFrame();
      const silentAac = Math.min(endFrame - this.#nextAac, framesAtOnce);
      const silentFlac = Math.min(endFrame - this.#nextFlac, framesAtOnce);
      const first = this.#nextFlac;
      this.#nextAac += silentAac;
      this.#nextFlac += silentFlac;
      await this.#onFrames({
        aac: Array.from({ length: silentAac }, () => aac),
        flac: Array.from({ length: silentFlac }, (_, index) => numberedFlacFrame(flac, first + index)),
      });
    }
  }

  #takeLast(endFrame: number): readonly Buffer[] {
    if (this.#last === null || endFrame <= this.#nextAac) return [];
    const taken = this.#last.aac.slice(this.#nextAac - this.#last.firstFrame, endFrame - this.#last.firstFrame);
    this.#nextAac += taken.length;
    return taken;
  }

  async #silentFrame(): Promise<{ aac: Buffer; flac: Buffer }> {
    if (this.#silence === null) {
      const { aac, flac } = await encodeSound([], { firstFrame: 0, endSample: 8 * frameSamples }, this.#encoder);
      const [steadyAac, steadyFlac] = [aac[aac.length >> 1], flac[flac.length >> 1]];
      if (!steadyAac || !steadyFlac) throw new Error('ffmpeg encoded no silence.');
      this.#silence = { aac: steadyAac, flac: steadyFlac };
    }
    return this.#silence;
  }
}

interface AacPiece {
  readonly firstFrame: number;
  readonly aac: readonly Buffer[];
}

/** The frame nearest to the boundary where both pieces, and the frame before, have the same window; the boundary without one. */
function jointOf(before: AacPiece, after: AacPiece, boundary: number): number {
  const same = (frame: number): boolean => {
    const [one, other] = [before.aac[frame - before.firstFrame], after.aac[frame - after.firstFrame]];
    return one !== undefined && other !== undefined && windowOf(one) === windowOf(other);
  };
  for (let away = 0; away < jointFrames; away += 1)
    for (const frame of [boundary - away, boundary + away]) if (same(frame - 1) && same(frame)) return frame;
  return boundary;
}
