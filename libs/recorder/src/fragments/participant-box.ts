import { box } from './mp4-boxes.ts';

/** One packet of Opus with the audio of one participant. */
export interface ParticipantPacket {
  readonly participantId: string;
  readonly participantName: string | null;
  /** Media time. */
  readonly timeUs: number;
  readonly durationUs: number;
  /** Not what only stands before and after, and no noise. */
  readonly isSpoken: boolean;
  readonly bytes: Uint8Array;
}

/** Packets of one participant that follow on each other. */
export interface ParticipantRun {
  readonly participantId: string;
  readonly participantName: string | null;
  readonly startUs: number;
  /** Of each packet. */
  readonly packetUs: number;
  readonly sizes: readonly number[];
  /** How many packets are spoken, how many then are not, and so on. */
  readonly turns: readonly number[];
  /** Byte offset of the first packet in the file; the others follow. */
  readonly dataAt: number;
}

export const participantBoxType = 'pers';
const headType = 'head';
const boxHeaderBytes = 8;
const version = 1;
const packetBytesMost = 1_500;

/**
 * What stands behind the media of a fragment, inside its `mdat`, where players and indexes find nothing: `head` with who is in
 * it as JSON, then the packets.
 */
export function participantBox(packets: readonly ParticipantPacket[]): Buffer {
  const runs = runsOf(packets);
  const head = runs.map(({ first, packets: own }) => [
    first.participantId,
    first.participantName,
    first.timeUs,
    first.durationUs,
    own.map(({ bytes }) => bytes.length),
    turnsOf(own),
  ]);
  return box(
    participantBoxType,
    box(headType, Buffer.from(JSON.stringify({ version, runs: head }))),
    ...runs.flatMap(({ packets: own }) => own.map(({ bytes }) => bytes)),
  );
}

function turnsOf(packets: readonly ParticipantPacket[]): number[] {
  const turns = [0];
  let isSpoken = true;
  for (const packet of packets) {
    if (packet.isSpoken !== isSpoken) turns.push(0);
    isSpoken = packet.isSpoken;
    turns[turns.length - 1]! += 1;
  }
  return turns;
}

interface OpenRun {
  readonly first: ParticipantPacket;
  readonly packets: ParticipantPacket[];
}

function runsOf(packets: readonly ParticipantPacket[]): OpenRun[] {
  const runs: OpenRun[] = [];
  for (const packet of packets) {
    const open = runs.findLast(({ first }) => first.participantId === packet.participantId);
    const last = open?.packets.at(-1);
    const follows = last && last.durationUs === packet.durationUs && last.timeUs + last.durationUs === packet.timeUs;
    if (open && follows) open.packets.push(packet);
    else runs.push({ first: packet, packets: [packet] });
  }
  return runs;
}

/** How many bytes from the beginning of such a box on have to be read to know what is in it; null: it is none. */
export function participantHeadBytes(begin: Buffer): number | null {
  if (begin.length < 2 * boxHeaderBytes || typeAt(begin, 0) !== participantBoxType) return null;
  if (typeAt(begin, boxHeaderBytes) !== headType) return null;
  return boxHeaderBytes + begin.readUInt32BE(boxHeaderBytes);
}

/** @param head its first bytes, as many as `participantHeadBytes` says; @param at where it stands in the file. @throws Error when it is damaged */
export function participantRuns(head: Buffer, at: number): ParticipantRun[] {
  const said = JSON.parse(head.toString('utf8', 2 * boxHeaderBytes)) as { version?: unknown; runs?: unknown };
  if (said.version !== version || !Array.isArray(said.runs)) throw unreadable();
  let dataAt = at + head.length;
  const runs = said.runs.map((run: unknown): ParticipantRun => {
    if (!Array.isArray(run)) throw unreadable();
    const [participantId, participantName, startUs, packetUs, sizes, turns] = run as unknown[];
    const isSizes = Array.isArray(sizes) && sizes.every((size) => isCount(size) && size <= packetBytesMost);
    const isTurns = Array.isArray(turns) && turns.every(isCount);
    if (typeof participantId !== 'string' || !isCount(startUs) || !isCount(packetUs) || !isSizes || !isTurns)
      throw unreadable();
    const read = {
      participantId,
      participantName: typeof participantName === 'string' ? participantName : null,
      startUs,
      packetUs,
    };
    const found = { ...read, sizes: sizes as number[], turns: turns as number[], dataAt };
    dataAt += found.sizes.reduce((sum, size) => sum + size, 0);
    return found;
  });
  if (dataAt !== at + head.readUInt32BE(0)) throw unreadable();
  return runs;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function typeAt(bytes: Buffer, start: number): string {
  return bytes.toString('latin1', start + 4, start + 8);
}

function unreadable(): Error {
  return new Error('The per-participant audio of a fragment is damaged.');
}
