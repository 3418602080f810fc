/** The recording's audio: mono, cut into frames that AAC and FLAC have in common, so that fragments of both fit together. */
export const audioRate = 48_000;
export const frameSamples = 1_024;
/** Frames of one fragment: 20.48 s. Longer ones cost less, shorter ones leave less to do when the meeting ends. */
export const fragmentFrames = 960;
/** Frames given to the encoders before and after a fragment, so that their state has settled at its edges. */
export const contextFrames = 12;
/** Number of frames at a joint that both fragments keep, as candidates for the transition. */
export const jointFrames = 3;
/** Preroll of an Opus decoder: 80 ms. */
export const decoderLeadSamples = 4_800;

export function samplesAt(ms: number): number {
  return Math.round((ms * audioRate) / 1_000);
}
