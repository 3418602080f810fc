import { avcRecord, lengthPrefixed, parameterSetsOf, sizeIn, unitType, unitTypes } from './avc-units.ts';
import type { FrameDescription } from '../boxes/track-box.ts';

/**
 * A key frame with its decoder's parameters (SPS, PPS): decoding can begin with it. `avcC` is the
 * AVCDecoderConfigurationRecord; a damaged one adds nothing. Lengths have four bytes, as our encoder writes them.
 */
export function withParameterSets(keyFrame: Uint8Array, avcC: Uint8Array): Uint8Array {
  return Buffer.concat([parameterSetBytes(avcC), keyFrame]);
}

/** The bytes before such a key frame. */
export function parameterSetBytes(avcC: Uint8Array): Buffer {
  return Buffer.from(lengthPrefixed(parameterSetsOf(avcC)));
}

/** The description of a record's frames; their size is `otherwise` where the record has none. */
export function describedFrame(
  avcC: Uint8Array,
  otherwise: { readonly width: number; readonly height: number },
): FrameDescription {
  const sequenceSet = parameterSetsOf(avcC).find((unit) => unitType(unit) === unitTypes.sequenceSet);
  const { width, height } = (sequenceSet && sizeIn(sequenceSet)) ?? otherwise;
  return { width, height, avcC };
}

/** How long the parameters in front of a key frame may be. */
export const parameterBytesMost = 1_024;

/**
 * The description of a key frame and those after it, from its first bytes; null when they have none, or are too few.
 */
export function frameIn(start: Uint8Array): FrameDescription | null {
  const view = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  const sequenceSets: Uint8Array[] = [];
  const pictureParameterSets: Uint8Array[] = [];
  for (let at = 0; at + 5 <= view.length;) {
    const end = at + 4 + view.readUInt32BE(at);
    const unit = view.subarray(at + 4, end);
    const type = unitType(unit);
    if (type > 0 && type <= unitTypes.keySlice) break;
    if (end > view.length) return null;
    if (type === unitTypes.sequenceSet) sequenceSets.push(unit);
    if (type === unitTypes.pictureParameterSet) pictureParameterSets.push(unit);
    at = end;
  }
  const avcC = avcRecord(sequenceSets, pictureParameterSets);
  const size = sequenceSets[0] && sizeIn(sequenceSets[0]);
  return avcC && size ? { ...size, avcC } : null;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
