import { box } from '../boxes/mp4-boxes.ts';

/** One packet of Opus with the audio of one participant. */
export interface ParticipantPacket {
  readonly participantId: string;
  readonly participantName: string | null;
  /** Media time. */
  readonly timeUs: number;
  /** False for padding before and after speech, and for noise. */
  readonly isSpoken: boolean;
  readonly bytes: Uint8Array;
}

/** Contiguous packets of one participant. */
export interface ParticipantRun {
  readonly participantId: string;
  readonly participantName: string | null;
  readonly startUs: number;
  /** Negative for a packet that is not spoken. */
  readonly sizes: Int16Array;
  /** Byte offset of the first packet in the file; the others follow. */
  readonly dataAt: number;
}

/** The duration of each packet. */
export const participantPacketUs = 20_000;
export const participantBoxType = 'pers';
const headType = 'head';
const version = 2;
const packetBytesMost = 1_500;

/**
 * The part of a fragment after its media, inside its `mdat` and invisible to players and indexes: `head` with the
 * participants as JSON, then the packets.
 */
export function participantBox(packets: readonly ParticipantPacket[]): Buffer {
  const runs: [ParticipantPacket, ...ParticipantPacket[]][] = [];
  for (const packet of packets) {
    const open = runs.findLast(([first]) => first.participantId === packet.participantId);
    if (open && open[0].timeUs + open.length * participantPacketUs === packet.timeUs) open.push(packet);
    else runs.push([packet]);
  }
  const head = runs.map((run) => {
    const sizes = run.map(({ bytes, isSpoken }) => (isSpoken ? bytes.length : -bytes.length));
    return [run[0].participantId, run[0].participantName, run[0].timeUs, sizes];
  });
  return box(
    participantBoxType,
    box(headType, Buffer.from(JSON.stringify({ version, runs: head }))),
    ...runs.flat().map(({ bytes }) => bytes),
  );
}

/**
 * @param bytes such a box; @param at its offset in the file. Empty when it is none. @throws Error when it is damaged
 */
export function participantRuns(bytes: Buffer, at: number): ParticipantRun[] {
  if (bytes.toString('latin1', 4, 8) !== participantBoxType || bytes.toString('latin1', 12, 16) !== headType) return [];
  const headEnd = 8 + bytes.readUInt32BE(8);
  const said = JSON.parse(bytes.toString('utf8', 16, headEnd)) as { version?: unknown; runs?: unknown };
  let dataAt = at + headEnd;
  const runs = said.version === version && Array.isArray(said.runs) ? said.runs : [];
  const read = runs.map((run: unknown[]): ParticipantRun => {
    const [participantId, participantName, startUs, sizes] = run;
    const isSizes =
      Array.isArray(sizes) &&
      sizes.every((size) => Number.isInteger(size) && Math.abs(Number(size)) <= packetBytesMost);
    if (typeof participantId !== 'string' || !(Number(startUs) >= 0) || !isSizes) throw unreadable();
    const name = typeof participantName === 'string' ? participantName : null;
    const found = { startUs: Number(startUs), sizes: Int16Array.from(sizes as number[]), dataAt };
    dataAt += bytesIn(found.sizes);
    return { participantId, participantName: name, ...found };
  });
  if (dataAt !== at + bytes.length) throw unreadable();
  return read;
}

export function bytesIn(sizes: Int16Array): number {
  return sizes.reduce((sum, size) => sum + Math.abs(size), 0);
}

function unreadable(): Error {
  return new Error('The per-participant audio of a fragment is damaged.');
}
