import { lengthPrefixed } from '@rapporteur/media-container/avc-units';

const blockPixels = 16;
const blackLuma = 16;
const noColour = 128;
/** The stub is so many times smaller than the video it stands for. */
const smaller = 10;
const orderBits = 16;
const orderMost = 2 ** (orderBits - 1) - 2;

/**
 * Tiny black H.264 frames that a decoder gets instead of those that nobody looks at: constrained baseline, of the same
 * shape. Every frame after a key frame is "all as before" and is needed by no other, so any of them may be lost.
 */
export class StubFrames {
  readonly #blocks: number;
  readonly #description: Uint8Array[];
  #key = 0;
  #order = 0;

  constructor(width: number, height: number) {
    const [seenWidth, seenHeight] = [width, height].map((side) => 2 * Math.max(4, Math.round(side / smaller / 2))) as [
      number,
      number,
    ];
    const [across, down] = [Math.ceil(seenWidth / blockPixels), Math.ceil(seenHeight / blockPixels)];
    this.#blocks = across * down;
    const crop = [across * blockPixels - seenWidth, down * blockPixels - seenHeight] as const;
    this.#description = [sequenceSet(across, down, crop), pictureParameterSet()];
  }

  /** With start codes, as decoders of calls take it. */
  key(): Uint8Array<ArrayBuffer> {
    this.#key = 1 - this.#key;
    this.#order = 0;
    return withStartCodes([...this.#description, keySlice(this.#blocks, this.#key)]);
  }

  next(): Uint8Array<ArrayBuffer> {
    this.#order = Math.min(this.#order + 2, orderMost);
    return withStartCodes([sameSlice(this.#blocks, this.#order)]);
  }
}

class BitWriter {
  readonly #bits: number[] = [];

  fixed(value: number, count: number): this {
    for (let index = count - 1; index >= 0; index -= 1) this.#bits.push(Math.floor(value / 2 ** index) & 1);
    return this;
  }

  /** Exp-Golomb numbers. */
  numbers(...values: readonly number[]): this {
    for (const value of values) {
      const length = Math.floor(Math.log2(value + 1));
      this.fixed(0, length).fixed(value + 1, length + 1);
    }
    return this;
  }

  align(): this {
    while (this.#bits.length % 8 !== 0) this.#bits.push(0);
    return this;
  }

  /** Closed as a unit is, and written so that nothing in it looks like a start code. */
  unit(header: number): Uint8Array {
    this.fixed(1, 1).align();
    const bytes = [header];
    for (let at = 0; at < this.#bits.length; at += 8) {
      const byte = this.#bits.slice(at, at + 8).reduce((value, bit) => value * 2 + bit, 0);
      if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
      bytes.push(byte);
    }
    return Uint8Array.from(bytes);
  }
}

function sequenceSet(across: number, down: number, [cropRight, cropBottom]: readonly [number, number]): Uint8Array {
  const bits = new BitWriter().fixed(66, 8).fixed(0xc0, 8).fixed(10, 8);
  bits.numbers(0, 0, 0, orderBits - 4, 1).fixed(0, 1);
  bits
    .numbers(across - 1, down - 1)
    .fixed(1, 1)
    .fixed(1, 1);
  bits.fixed(1, 1).numbers(0, cropRight / 2, 0, cropBottom / 2);
  // Nothing comes out of order, so that a decoder waits for no more frames.
  bits.fixed(1, 1).fixed(0, 8).fixed(1, 1).fixed(1, 1).numbers(0, 0, 9, 9, 0, 1);
  return bits.unit(0x67);
}

function pictureParameterSet(): Uint8Array {
  const bits = new BitWriter().numbers(0, 0).fixed(0, 2).numbers(0, 0, 0).fixed(0, 3);
  return bits.numbers(0, 0, 0).fixed(0b100, 3).unit(0x68);
}

function keySlice(blocks: number, keyNumber: number): Uint8Array {
  const bits = new BitWriter().numbers(0, 7, 0).fixed(0, 4).numbers(keyNumber).fixed(0, orderBits);
  bits.fixed(0, 2).numbers(0, 1);
  for (let block = 0; block < blocks; block += 1) {
    bits.numbers(25).align();
    for (let pixel = 0; pixel < 256; pixel += 1) bits.fixed(blackLuma, 8);
    for (let pixel = 0; pixel < 128; pixel += 1) bits.fixed(noColour, 8);
  }
  return bits.unit(0x65);
}

function sameSlice(blocks: number, order: number): Uint8Array {
  const bits = new BitWriter().numbers(0, 5, 0).fixed(1, 4).fixed(order, orderBits).fixed(0, 2);
  return bits.numbers(0, 1, blocks).unit(0x01);
}

function withStartCodes(units: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = lengthPrefixed(units);
  let at = 0;
  for (const unit of units) {
    bytes.set([0, 0, 0, 1], at);
    at += 4 + unit.length;
  }
  return bytes;
}
