import { audioRate, frameSamples } from './audio-grid.ts';
import { endOfFrame, flacHead, metadataOf, numberedFlacFrame } from './flac-frames.ts';
import { oggOpus } from './ogg-opus.ts';
import type { OpusPacket } from './ogg-opus.ts';

/** A span of the recording's audio. */
interface AudioSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

type OpenFile = (fromByte: number) => Promise<AsyncIterable<Buffer>>;

/** Containers that `cutAudio` reads. */
export const cuttableTypes: readonly string[] = ['audio/flac', 'audio/ogg'];

/**
 * A span of a file that this library wrote, as a file of its own: FLAC to within 21 ms, Ogg Opus to within a packet. It
 * is cut while it is read. Throws Error when the file is cut, damaged or of another kind.
 * @param open the file from this byte on
 */
export function cutAudio(contentType: string, open: OpenFile, span: AudioSpan): AsyncGenerator<Buffer> {
  const samplesOf = (ms: number): number => Math.round((ms * audioRate) / 1_000);
  const [from, to] = [samplesOf(span.fromMs), samplesOf(span.toMs)];
  if (contentType === 'audio/flac') return cutFlac(open, from, to);
  if (contentType === 'audio/ogg') return cutOgg(open, from, to);
  throw new Error(`Audio of the type ${contentType} cannot be cut.`);
}

/** Reads a stream by numbers of bytes. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Holds at least this many bytes, less at the end of the stream. */
  async fill(bytes: number): Promise<number> {
    while (this.held.length < bytes) {
      const { done, value } = await this.#source.next();
      if (done === true) break;
      this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value]);
    }
    return this.held.length;
  }

  /** The next bytes, fewer at the end of the stream. */
  async take(bytes: number): Promise<Buffer> {
    await this.fill(bytes);
    const taken = this.held.subarray(0, bytes);
    this.held = this.held.subarray(taken.length);
    return taken;
  }

  async skip(bytes: number): Promise<void> {
    for (let left = bytes; left > 0;) {
      const { length } = await this.take(Math.min(left, 65_536));
      if (length === 0) return;
      left -= length;
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** More than a frame of 1,024 samples and the header of the next one. */
const longestFrame = 16_384;
/** What is nearer is skipped, not opened again. */
const nearBytes = 1_048_576;
const longestMetadata = 16_777_216;

async function* cutFlac(open: OpenFile, from: number, to: number): AsyncGenerator<Buffer> {
  let bytes = new Bytes(await open(0));
  try {
    let metadata = metadataOf(bytes.held);
    for (let wanted = 65_536; metadata === null && wanted <= longestMetadata; wanted *= 2) {
      await bytes.fill(wanted);
      metadata = metadataOf(bytes.held);
    }
    if (metadata === null) throw new Error('The FLAC audio has no header.');
    if (metadata.rate !== audioRate) throw new Error(`The FLAC audio has ${metadata.rate} samples a second.`);
    const first = Math.floor(from / frameSamples);
    // A file that was streamed does not state its length.
    const total = metadata.samples === 0 ? to : metadata.samples;
    const end = Math.ceil(Math.min(to, total) / frameSamples);
    const place = metadata.seekPoints.findLast(({ sample }) => sample <= first * frameSamples);
    const offset = metadata.bytes + (place?.offset ?? 0);
    if (offset > nearBytes) {
      await bytes.close();
      bytes = new Bytes(await open(offset));
    } else await bytes.skip(offset);
    const samples = Math.min(end * frameSamples, total) - first * frameSamples;
    yield flacHead({ samples: Math.max(0, samples), rate: audioRate, seekPoints: [] }, 1);
    for (let number = (place?.sample ?? 0) / frameSamples; number < end; number += 1) {
      if ((await bytes.fill(longestFrame)) === 0) return;
      const frame = await bytes.take(endOfFrame(bytes.held, 0, number));
      if (number >= first) yield numberedFlacFrame(frame, number - first);
    }
  } finally {
    await bytes.close();
  }
}

async function* cutOgg(open: OpenFile, from: number, to: number): AsyncGenerator<Buffer> {
  const bytes = new Bytes(await open(0));
  try {
    const [head] = await packetsOfPage(bytes);
    if (head?.toString('latin1', 0, 8) !== 'OpusHead') throw new Error('This is no Opus in Ogg.');
    await packetsOfPage(bytes);
    const preSkip = head.readUInt16LE(10);
    yield* oggOpus(packetsBetween(bytes, from, to), { preSkip, samples: to - from });
  } finally {
    await bytes.close();
  }
}

async function* packetsBetween(bytes: Bytes, from: number, to: number): AsyncGenerator<OpusPacket[]> {
  let at = 0;
  while (at < to && (await bytes.fill(27)) >= 27) {
    const packets: OpusPacket[] = [];
    for (const packet of await packetsOfPage(bytes)) {
      const samples = opusSamples(packet);
      if (at >= from && at < to) packets.push({ bytes: packet, samples });
      at += samples;
    }
    if (packets.length > 0) yield packets;
  }
}

/** The packets of the next page; none of them continues in another one. */
async function packetsOfPage(bytes: Bytes): Promise<Buffer[]> {
  const head = await bytes.take(27);
  if (head.length < 27 || head.toString('latin1', 0, 4) !== 'OggS') throw new Error('The Ogg audio is damaged.');
  const packets: Buffer[] = [];
  let length = 0;
  for (const segment of await bytes.take(head.readUInt8(26))) {
    length += segment;
    if (segment === 255) continue;
    packets.push(await bytes.take(length));
    length = 0;
  }
  return packets;
}

/** Samples at 48 kHz of a packet, by its first bytes (RFC 6716, part 3.1). */
function opusSamples(packet: Buffer): number {
  const [first = 0, second = 0] = packet;
  const configuration = first >>> 3;
  const frameMs =
    configuration < 12
      ? ([10, 20, 40, 60][configuration & 3] ?? 20)
      : configuration < 16
        ? ([10, 20][configuration & 1] ?? 20)
        : ([2.5, 5, 10, 20][configuration & 3] ?? 20);
  const frames = [1, 2, 2][first & 3] ?? second & 63;
  return frameMs * 48 * frames;
}
