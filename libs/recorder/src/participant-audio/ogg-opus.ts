import { u16, u32, u64, u8 } from './little-endian.ts';

/** Opus counts at this rate, whatever the audio is. */
export const opusRate = 48_000;
/** Silence can be as short as this: 2.5 ms. */
export const opusStep = 120;
const pageSegmentsMost = 255;
/** A player looks for a moment page by page: one holds half a second of speech, or half a minute of silence. */
const pageBytesMost = 2_048;
const serialNumber = 1;
const flags = { begins: 2, ends: 4 };

/**
 * A stream of Opus in an Ogg file (RFC 7845), page by page: what was written stays as it is, and its length is told by the
 * last page.
 */
export class OggOpusWriter {
  readonly #preSkip: number;
  #sequence = 0;
  #segments: number[] = [];
  #packets: Uint8Array[] = [];
  #bytes = 0;
  /** Samples of all packets so far; a decoder gives `preSkip` of them away. */
  #samples = 0;

  /** @param preSkip samples that the decoder gives before the first real one */
  constructor(preSkip: number) {
    this.#preSkip = preSkip;
  }

  /** Samples so far. */
  get samples(): number {
    return this.#samples;
  }

  /** The beginning of the file. */
  begin(): Buffer {
    const head = Buffer.concat([Buffer.from('OpusHead'), u8(1, 1), u16(this.#preSkip), u32(opusRate), u16(0), u8(0)]);
    const vendor = Buffer.from('Rapporteur');
    const tags = Buffer.concat([Buffer.from('OpusTags'), u32(vendor.length), vendor, u32(0)]);
    return Buffer.concat([
      this.#page([head], lacing(head.length), { granule: 0, flag: flags.begins }),
      this.#page([tags], lacing(tags.length), { granule: 0, flag: 0 }),
    ]);
  }

  /** @returns pages that are whole now */
  add(packet: Uint8Array, samples: number): Buffer[] {
    const segments = lacing(packet.length);
    const isFull = this.#segments.length + segments.length > pageSegmentsMost || this.#bytes >= pageBytesMost;
    const whole = isFull ? [this.#flush(0)] : [];
    this.#segments.push(...segments);
    this.#packets.push(packet);
    this.#bytes += packet.length;
    this.#samples += samples;
    return whole;
  }

  /** Silence of so many samples, a multiple of `opusStep`. @returns pages that are whole now */
  addSilence(samples: number): Buffer[] {
    const pages: Buffer[] = [];
    let left = samples;
    for (const { packet, samples: each } of silences)
      for (; left >= each; left -= each) pages.push(...this.add(packet, each));
    return pages;
  }

  /** The end of the file. @param samples how long it is heard; not longer than what was added, less what is skipped */
  finish(samples: number): Buffer {
    return this.#flush(flags.ends, samples + this.#preSkip);
  }

  #flush(flag: number, granule = this.#samples): Buffer {
    const page = this.#page(this.#packets, this.#segments, { granule, flag });
    this.#segments = [];
    this.#packets = [];
    this.#bytes = 0;
    return page;
  }

  #page(packets: readonly Uint8Array[], segments: readonly number[], place: { granule: number; flag: number }): Buffer {
    const page = Buffer.concat([
      Buffer.from('OggS'),
      u8(0, place.flag),
      u64(place.granule),
      u32(serialNumber, this.#sequence, 0),
      u8(segments.length, ...segments),
      ...packets,
    ]);
    this.#sequence += 1;
    page.writeUInt32LE(checksum(page), 22);
    return page;
  }
}

function lacing(bytes: number): number[] {
  return [...Array.from({ length: Math.floor(bytes / 255) }, () => 255), bytes % 255];
}

/**
 * Frames whose first bit says that they are silent. 20 ms or 2.5 ms of the whole band in one channel, several in a packet, all of
 * one size: `count` frames of two bytes.
 */
function silentPacket(configuration: number, count: number): Buffer {
  const frames = Array.from({ length: count }, () => [0xff, 0xfe]).flat();
  return Buffer.from([(configuration << 3) | 3, count, ...frames]);
}

const frame20 = { configuration: 31, samples: 960 };
const frame2 = { configuration: 28, samples: opusStep };
/** The longest packet there may be is 120 ms. */
const silences = [
  { packet: silentPacket(frame20.configuration, 6), samples: 6 * frame20.samples },
  { packet: silentPacket(frame20.configuration, 1), samples: frame20.samples },
  { packet: silentPacket(frame2.configuration, 1), samples: frame2.samples },
];

const checksums = Uint32Array.from({ length: 256 }, (_, index) => {
  let rest = index << 24;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 0x8000_0000 ? (rest << 1) ^ 0x04c1_1db7 : rest << 1;
  return rest >>> 0;
});

function checksum(page: Uint8Array): number {
  let rest = 0;
  for (const byte of page) rest = ((rest << 8) ^ (checksums[((rest >>> 24) ^ byte) & 0xff] as number)) >>> 0;
  return rest;
}
