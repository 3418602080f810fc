// Google Meet's channel `dcrpc` reports who speaks, also where no track does. Frame { 1: keep-alive } or Frame { 2:
// gzip of State }; State contains, under varying fields 2, Participant { 4: device id, 8: stream ids, 9: { 2: speaking
// } }.
import { pageNow } from '@rapporteur/page-scripts/page-time';
import { messagesIn, readProtobuf, textIn } from '../protobuf.page.ts';
import type { ProtobufField } from '../protobuf.page.ts';

export interface SpeechRecord {
  readonly deviceId: string;
  readonly speaking: boolean;
}

const deepest = 8;
const mostRecords = 500;

/**
 * The packed state in a frame, or null when the frame has none: a keep-alive, or another kind.
 * @throws Error when the bytes are no protobuf message
 */
export function packedState(frame: Uint8Array): Uint8Array<ArrayBuffer> | null {
  for (const entry of readProtobuf(frame)) {
    if (entry.field !== 2 || entry.kind !== 'bytes') continue;
    if (entry.value[0] === 0x1f && entry.value[1] === 0x8b) return new Uint8Array(entry.value);
  }
  return null;
}

/**
 * All participants in an unpacked state.
 * @throws Error when the bytes are no protobuf message
 */
export function readSpeechState(state: Uint8Array): SpeechRecord[] {
  const records: SpeechRecord[] = [];
  const descend = (fields: readonly ProtobufField[], depth: number): void => {
    if (records.length >= mostRecords) return;
    const deviceId = textIn(fields, 4);
    if (deviceId !== null) {
      const speaking = messagesIn(fields, 9).some((speech) => speech.some(({ field }) => field === 2));
      records.push({ deviceId, speaking });
    } else if (depth < deepest) {
      for (const inner of messagesIn(fields, 2)) descend(inner, depth + 1);
    }
  };
  descend(readProtobuf(state), 0);
  return records;
}

/** Frames repeat; a frame older than this is stale. */
const freshMs = 3_000;
const largestStateBytes = 1024 * 1024;

/** The current speakers according to the channel `dcrpc`. */
export class SpeechFrames {
  readonly #speaking = new Map<string, number>();
  #readAtMs = -Infinity;

  /** A message of the channel. */
  async take(data: unknown): Promise<void> {
    const buffer = data instanceof Blob ? await data.arrayBuffer() : data;
    if (!(buffer instanceof ArrayBuffer)) return;
    try {
      const packed = packedState(new Uint8Array(buffer));
      if (packed === null || packed.length > largestStateBytes) return;
      const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      const state = new Uint8Array(await new Response(unpacked).arrayBuffer());
      const records = readSpeechState(state);
      if (records.length === 0) return;
      this.#readAtMs = pageNow();
      this.#speaking.clear();
      for (const { deviceId, speaking } of records) if (speaking) this.#speaking.set(deviceId, 1);
    } catch {
      // An unreadable frame is ignored; other layers continue.
    }
  }

  /** False while the channel has delivered no readable frame recently. */
  fresh(nowMs: number): boolean {
    return nowMs - this.#readAtMs < freshMs;
  }

  /** Level 1 for each participant who speaks now. */
  levels(nowMs: number): ReadonlyMap<string, number> {
    return this.fresh(nowMs) ? this.#speaking : new Map();
  }
}
