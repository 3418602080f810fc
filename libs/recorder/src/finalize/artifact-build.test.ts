import { expect, test } from '@jest/globals';
import type { EncodedAudio } from '@rapporteur/media-container';
import { jointFrames } from '@rapporteur/media-container';
import type { AudioEncoderOptions } from '../audio/encode-audio.ts';
import { JoinedAudio } from './artifact-build.ts';

const frames = 20;
const encoder: AudioEncoderOptions = { ffmpegPath: 'no-ffmpeg', deadlineMs: 1, niceness: 0 };
/** The header of a FLAC frame of 1,024 samples with the number 0, and its body. */
const flacFrame = Buffer.from([0xff, 0xf8, 0xaa, 0x08, 0x00, 0xed, 0, 0, 0]);
const windows = { long: 0, short: 0b010_00000 };

/** AAC frames are a window, the fragment and the frame's number; the windows are long but for the frames in `short`. */
function fragmentAt(fragment: number, short: readonly number[] = []): EncodedAudio {
  const firstFrame = fragment * frames;
  const firstAacFrame = firstFrame - jointFrames;
  const aac = Array.from({ length: frames + 2 * jointFrames }, (_, index) => {
    const frame = firstAacFrame + index;
    return Buffer.of(0, 0, short.includes(frame) ? windows.short : windows.long, fragment, frame & 0xff);
  });
  return { firstFrame, firstAacFrame, aac, flac: Array.from({ length: frames }, () => flacFrame) };
}

test.each([
  ['at the boundary where the windows are equal', [], 20],
  ['before the boundary where the windows differ on it', [20], 19],
  ['after the boundary where they differ up to it', [18, 19, 20], 22],
  ['at the boundary where they are equal nowhere', [17, 18, 19, 20, 21, 22], 20],
])('the second fragment follows the first %s', async (_where, short, joint) => {
  const aac: number[][] = [];
  const flacNumbers: number[] = [];
  const join = new JoinedAudio(encoder, async (joined) => {
    aac.push(...joined.aac.map((frame) => [...frame.subarray(3)]));
    flacNumbers.push(...joined.flac.map((frame) => frame[4] ?? -1));
  });
  await join.add(fragmentAt(0, short), 0);
  // All but those that the next fragment may still replace.
  expect(aac).toHaveLength(frames - jointFrames + 1);
  await join.add(fragmentAt(1), 0);
  await join.fill(2 * frames);
  // One AAC frame more at the beginning: the decoder gives it before the first presented one.
  const expected = Array.from({ length: 2 * frames + 1 }, (_, index) => [
    index - 1 < joint ? 0 : 1,
    (index - 1) & 0xff,
  ]);
  expect(aac).toEqual(expected);
  expect(flacNumbers).toEqual(Array.from({ length: 2 * frames }, (_, index) => index));
});
