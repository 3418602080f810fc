import { PACKET_SAMPLES } from './pcm.ts';

/** An Opus packet that decodes to 20 ms of silence. */
export const SILENT_OPUS = Buffer.from([0xf8, 0xff, 0xfe]);
const mostSegments = 255;
const serial = 1;

/** An Ogg file with one Opus stream of 20 ms packets. */
export function writeOggOpus(packets: readonly Buffer[]): Buffer {
  const pages = [page(0, 0, [opusHead()], 0x02), page(1, 0, [opusTags()], 0)];
  let samples = 0;
  for (let from = 0; from < packets.length;) {
    const onPage = packetsOnPage(packets, from);
    from += onPage.length;
    samples += onPage.length * PACKET_SAMPLES;
    pages.push(page(pages.length, samples, onPage, from === packets.length ? 0x04 : 0));
  }
  return Buffer.concat(pages);
}

function packetsOnPage(packets: readonly Buffer[], from: number): Buffer[] {
  const onPage: Buffer[] = [];
  let segments = 0;
  for (const packet of packets.slice(from, from + mostSegments)) {
    segments += segmentsOf(packet).length;
    if (segments > mostSegments) break;
    onPage.push(packet);
  }
  if (onPage.length === 0) throw new Error('A packet of sound is too long for one Ogg page.');
  return onPage;
}

/** Lengths of a packet's segments: 255 means that it continues. */
function segmentsOf({ length }: Buffer): number[] {
  return [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255];
}

function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(1, 9);
  head.writeUInt32LE(48_000, 12);
  return head;
}

function opusTags(): Buffer {
  const tags = Buffer.alloc(16);
  tags.write('OpusTags', 0, 'latin1');
  return tags;
}

function page(sequence: number, samples: number, packets: readonly Buffer[], flags: number): Buffer {
  const segments = packets.flatMap(segmentsOf);
  const header = Buffer.alloc(27 + segments.length);
  header.write('OggS', 0, 'latin1');
  header.writeUInt8(flags, 5);
  header.writeBigInt64LE(BigInt(samples), 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(sequence, 18);
  header.writeUInt8(segments.length, 26);
  header.set(segments, 27);
  const whole = Buffer.concat([header, ...packets]);
  whole.writeUInt32LE(checksum(whole), 22);
  return whole;
}

const checksumTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value;
});

/** The CRC that Ogg has in its pages, taken with zero in its own place. */
function checksum(bytes: Buffer): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ checksumTable[((value >>> 24) ^ byte) & 0xff]!) >>> 0;
  return value;
}
