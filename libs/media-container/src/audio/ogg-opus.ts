/** Silence can be as short as this: 2.5 ms. */
export const opusStep = 120;
const pageSegmentsMost = 255;
/** A player seeks by page: one holds half a second of speech, or half a minute of silence. */
const pageBytesMost = 2_048;
const serialNumber = 1;
const flags = { begins: 2, none: 0, ends: 4 };

export interface OpusPacket {
  readonly bytes: Uint8Array;
  readonly samples: number;
}

/**
 * A file of Opus in Ogg (RFC 7845) with one channel, page by page. The same packets give the same bytes.
 * @param presented `preSkip`: samples that the decoder gives before the first real one; `samples`: how many are presented
 * after them, no more than there are
 */
export async function* oggOpus(
  packets: AsyncIterable<readonly OpusPacket[]>,
  presented: { readonly preSkip: number; readonly samples: number },
): AsyncGenerator<Buffer> {
  const head = Buffer.from('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', 'latin1');
  head.writeUInt16LE(presented.preSkip, 10);
  const tags = Buffer.from('OpusTags\x0a\0\0\0Rapporteur\0\0\0\0', 'latin1');
  yield page([head], { sequence: 0, granule: 0, flag: flags.begins });
  yield page([tags], { sequence: 1, granule: 0, flag: flags.none });
  const open = { packets: [] as Uint8Array[], segments: 0, bytes: 0, granule: 0, sequence: 2, flag: flags.none };
  for await (const next of packets)
    for (const { bytes, samples } of next) {
      const segments = Math.floor(bytes.length / 255) + 1;
      if (open.segments + segments > pageSegmentsMost || open.bytes >= pageBytesMost) {
        yield page(open.packets.splice(0), open);
        Object.assign(open, { segments: 0, bytes: 0, sequence: open.sequence + 1 });
      }
      open.packets.push(bytes);
      open.segments += segments;
      open.bytes += bytes.length;
      open.granule += samples;
    }
  yield page(open.packets, { ...open, granule: presented.preSkip + presented.samples, flag: flags.ends });
}

/** As much silence, in samples: a multiple of `opusStep`. */
export function silence(samples: number): OpusPacket[] {
  const packets: OpusPacket[] = [];
  let left = samples;
  for (const packet of silences) for (; left >= packet.samples; left -= packet.samples) packets.push(packet);
  return packets;
}

function page(
  packets: readonly Uint8Array[],
  place: { readonly sequence: number; readonly granule: number; readonly flag: number },
): Buffer {
  const segments = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const head = Buffer.alloc(27);
  head.write('OggS');
  head.writeUInt8(place.flag, 5);
  head.writeBigUInt64LE(BigInt(place.granule), 6);
  head.writeUInt32LE(serialNumber, 14);
  head.writeUInt32LE(place.sequence, 18);
  head.writeUInt8(segments.length, 26);
  const bytes = Buffer.concat([head, Buffer.from(segments), ...packets]);
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

/** Full-band packets whose first bit marks them as silent: 120 ms, the maximum, 20 ms and 2.5 ms. */
const silences = [
  { configuration: 31, frames: 6, samples: 5_760 },
  { configuration: 31, frames: 1, samples: 960 },
  { configuration: 28, frames: 1, samples: opusStep },
].map(({ configuration, frames, samples }): OpusPacket => {
  const head = Buffer.from([(configuration << 3) | 3, frames]);
  return { bytes: Buffer.concat([head, Buffer.alloc(2 * frames, Buffer.from([0xff, 0xfe]))]), samples };
});

function checksum(bytes: Uint8Array): number {
  let rest = 0;
  for (const byte of bytes) rest = ((rest << 8) ^ (checksums[((rest >>> 24) ^ byte) & 0xff] as number)) >>> 0;
  return rest;
}

const checksums = Uint32Array.from({ length: 256 }, (_, index) => {
  let rest = index << 24;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 0x8000_0000 ? (rest << 1) ^ 0x04c1_1db7 : rest << 1;
  return rest >>> 0;
});
