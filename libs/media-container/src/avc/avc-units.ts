/** The part of H.264 (ISO 14496-10) and of its storage in MP4 (ISO 14496-15) that a receiver needs. Decodes nothing. */

export const unitTypes = { slice: 1, keySlice: 5, sequenceSet: 7, pictureParameterSet: 8, delimiter: 9 } as const;

export function unitType(unit: Uint8Array): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** The same units in the form of MP4: each after its length in four bytes. */
export function lengthPrefixed(units: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(units.reduce((sum, unit) => sum + 4 + unit.length, 0));
  const view = new DataView(whole.buffer);
  let at = 0;
  for (const unit of units) {
    view.setUint32(at, unit.length);
    whole.set(unit, at + 4);
    at += 4 + unit.length;
  }
  return whole;
}

/**
 * An AVCDecoderConfigurationRecord for baseline and main; the additions of high profiles are redundant. Null without
 * sets.
 */
export function avcRecord(
  sequenceSets: readonly Uint8Array[],
  pictureParameterSets: readonly Uint8Array[],
): Uint8Array | null {
  const first = sequenceSets[0];
  if (!first || first.length < 4 || pictureParameterSets.length === 0) return null;
  const sets = (units: readonly Uint8Array[]): number[] =>
    units.flatMap((unit) => [unit.length >> 8, unit.length & 0xff, ...unit]);
  const head = [1, first[1] ?? 0, first[2] ?? 0, first[3] ?? 0, 0xff, 0xe0 | sequenceSets.length];
  return Uint8Array.from([...head, ...sets(sequenceSets), pictureParameterSets.length, ...sets(pictureParameterSets)]);
}

/** The parameter sets of such a record, in order; none when it is cut. */
export function parameterSetsOf(avcC: Uint8Array): Uint8Array[] {
  const sets: Uint8Array[] = [];
  let at = 5;
  for (const mask of [0x1f, 0xff]) {
    const count = (avcC[at] ?? 0) & mask;
    at += 1;
    for (let index = 0; index < count; index += 1) {
      const end = at + 2 + (avcC[at] ?? 0) * 256 + (avcC[at + 1] ?? 0);
      if (end > avcC.length) return [];
      sets.push(avcC.subarray(at + 2, end));
      at = end;
    }
  }
  return sets;
}

/** The visible size that a sequence parameter set states; null when it is not valid. */
export function sizeIn(sequenceSet: Uint8Array): { readonly width: number; readonly height: number } | null {
  const bits = new Bits(withoutEmulation(sequenceSet.subarray(1)));
  const profile = bits.take(8);
  bits.take(16);
  bits.unsigned();
  const chroma = highProfiles.includes(profile) ? chromaOf(bits) : 1;
  bits.unsigned();
  skipOrder(bits);
  bits.unsigned();
  bits.take(1);
  const across = bits.unsigned() + 1;
  const down = bits.unsigned() + 1;
  const framesOnly = bits.take(1);
  if (framesOnly === 0) bits.take(1);
  bits.take(1);
  const cropped = bits.take(1) === 1;
  const [left, right, top, bottom] = cropped
    ? [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()]
    : [0, 0, 0, 0];
  const stepX = chroma === 1 || chroma === 2 ? 2 : 1;
  const stepY = (chroma === 1 ? 2 : 1) * (2 - framesOnly);
  const width = across * 16 - stepX * (left + right);
  const height = down * 16 * (2 - framesOnly) - stepY * (top + bottom);
  const sensible = !bits.ended && width > 0 && height > 0 && width <= sideMost && height <= sideMost;
  return sensible ? { width, height } : null;
}

const sideMost = 16_384;
const highProfiles = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134];

function chromaOf(bits: Bits): number {
  const chroma = bits.unsigned();
  if (chroma === 3) bits.take(1);
  bits.unsigned();
  bits.unsigned();
  bits.take(1);
  if (bits.take(1) === 0) return chroma;
  for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1) if (bits.take(1) === 1) skipScaling(bits, list);
  return chroma;
}

function skipScaling(bits: Bits, list: number): void {
  let last = 8;
  let next = 8;
  for (let index = 0; index < (list < 6 ? 16 : 64); index += 1) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

/** How frames are numbered. */
function skipOrder(bits: Bits): void {
  const kind = bits.unsigned();
  if (kind === 0) bits.unsigned();
  if (kind !== 1) return;
  bits.take(1);
  bits.signed();
  bits.signed();
  const cycle = Math.min(bits.unsigned(), 255);
  for (let index = 0; index < cycle; index += 1) bits.signed();
}

class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Thrown when a read exceeds the data. */
  get ended(): boolean {
    return this.#at > this.#bytes.length * 8;
  }

  take(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index += 1) {
      const bit = ((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1;
      value = value * 2 + bit;
      this.#at += 1;
    }
    return value;
  }

  /** An Exp-Golomb number. */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && !this.ended && this.take(1) === 0) zeros += 1;
    return 2 ** zeros - 1 + this.take(zeros);
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? -value / 2 : (value + 1) / 2;
  }
}

function withoutEmulation(unit: Uint8Array): Uint8Array {
  return unit.filter((byte, index) => !(byte === 3 && index >= 2 && unit[index - 1] === 0 && unit[index - 2] === 0));
}
