import { windowOf, numberedFlacFrame, frameSamples, jointFrames } from '@rapporteur/media-container';
import type { EncodedAudio, AudioFrames } from '@rapporteur/media-container';
import { encodeAudio } from './encode-audio.ts';
import type { AudioEncoderOptions } from './encode-audio.ts';

/** Frames passed on per batch. */
const framesAtOnce = 1_000;

/** Joins fragments of encoded audio on the recording's time, with silence where there is no fragment. */
export class JoinedAudio {
  readonly #encoder: AudioEncoderOptions;
  readonly #onFrames: (frames: AudioFrames) => Promise<void>;
  #nextAac = -1;
  #nextFlac = 0;
  /** Frames of the last fragment that the next one may still replace. */
  #last: AacFragment | null = null;
  #silence: { aac: Buffer; flac: Buffer } | null = null;

  constructor(encoder: AudioEncoderOptions, onFrames: (frames: AudioFrames) => Promise<void>) {
    this.#encoder = encoder;
    this.#onFrames = onFrames;
  }

  /** The fragment after the last one; its frames are counted from `offsetFrame`. */
  async add(audio: EncodedAudio, offsetFrame: number): Promise<void> {
    const first = offsetFrame + audio.firstFrame;
    if (this.#nextFlac < first) await this.fill(first);
    const fragment = { firstFrame: offsetFrame + audio.firstAacFrame, aac: audio.aac };
    const joint = this.#last === null ? this.#nextAac : jointOf(this.#last, fragment, first);
    const before = this.#takeLast(joint);
    const end = first + audio.flac.length;
    const own = fragment.aac.slice(this.#nextAac - fragment.firstFrame, end - jointFrames - fragment.firstFrame);
    this.#nextAac += own.length;
    this.#last = fragment;
    const flac = audio.flac.map((frame, index) => numberedFlacFrame(frame, first + index));
    this.#nextFlac = end;
    await this.#onFrames({ aac: [...before, ...own], flac });
  }

  /** Ends the last fragment there; silence follows where there is none. */
  async fill(endFrame: number): Promise<void> {
    const before = this.#takeLast(Math.min(this.#nextFlac, endFrame));
    this.#last = null;
    if (before.length > 0) await this.#onFrames({ aac: before, flac: [] });
    while (this.#nextAac < endFrame || this.#nextFlac < endFrame) {
      const { aac, flac } = await this.#silentFrame();
      const silentAac = Math.min(Math.max(0, endFrame - this.#nextAac), framesAtOnce);
      const silentFlac = Math.min(Math.max(0, endFrame - this.#nextFlac), framesAtOnce);
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
      const { aac, flac } = await encodeAudio([], { firstFrame: 0, endSample: 8 * frameSamples }, this.#encoder);
      const [steadyAac, steadyFlac] = [aac[aac.length >> 1], flac[flac.length >> 1]];
      if (!steadyAac || !steadyFlac) throw new Error('ffmpeg encoded no silence.');
      this.#silence = { aac: steadyAac, flac: steadyFlac };
    }
    return this.#silence;
  }
}

interface AacFragment {
  readonly firstFrame: number;
  readonly aac: readonly Buffer[];
}

/** The frame nearest to the boundary where both fragments, and the frame before, have the same window; the boundary without one. */
function jointOf(before: AacFragment, after: AacFragment, boundary: number): number {
  const same = (frame: number): boolean => {
    const [one, other] = [before.aac[frame - before.firstFrame], after.aac[frame - after.firstFrame]];
    return one !== undefined && other !== undefined && windowOf(one) === windowOf(other);
  };
  for (let away = 0; away < jointFrames; away += 1)
    for (const frame of [boundary - away, boundary + away]) if (same(frame - 1) && same(frame)) return frame;
  return boundary;
}
