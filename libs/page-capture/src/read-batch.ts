import {
  audioImpairments,
  audioStrategies,
  degradationSteps,
  missingVideoReasons,
  strategyReasons,
  videoStrategies,
} from '@rapporteur/contracts';
import type { AudioImpairment, DegradationStep } from '@rapporteur/contracts';
import type { ParticipantPacket } from '@rapporteur/media-container';
import { chunkKinds } from './chunk-kinds.page.ts';
import type { CaptureStats, AudioOwner, EngineSwitch, MissingVideo, ReasonSpan } from './messages.ts';

export interface CaptureChunk {
  readonly kind: 'video' | 'audio';
  readonly timeUs: number;
  readonly durationUs: number;
  readonly key: boolean;
  readonly bytes: Uint8Array;
  /** The decoder configuration of this chunk and those after it; null: unchanged. */
  readonly avcC: Uint8Array | null;
}

export interface ReadBatch {
  readonly run: number;
  readonly sequence: number;
  readonly opusHead?: Uint8Array;
  readonly chunks: readonly CaptureChunk[];
  /** Audio of single participants. */
  readonly participantPackets: readonly ParticipantPacket[];
  readonly stats: CaptureStats;
  readonly switches: readonly ReadSwitch[];
  readonly videoMissing: readonly MissingVideo[];
  readonly degradations: readonly ReasonSpan<DegradationStep>[];
  readonly audioImpaired: readonly ReasonSpan<AudioImpairment>[];
  readonly isLate: boolean;
  /** The media time at which another engine continues, where the one before was lost. */
  readonly continued: { readonly atMs: number; readonly thread: 'worker' | 'page' } | null;
  readonly tapped: ReadAudio | null;
  readonly pausedMs: number | null;
  readonly endMs: number | null;
}

/** `atMs` is media time. */
export type ReadSwitch = EngineSwitch & { readonly atMs: number };

/** Audio that was tapped of the mix. */
export interface ReadAudio {
  readonly blocks: readonly { readonly startMs: number; readonly pcm: Buffer }[];
  readonly dropped: number;
}

const batchCharactersMax = 64_000_000;
const countNames = [
  'framesReceived',
  'framesEncoded',
  'framesRepeated',
  'framesSkippedByRateLimit',
  'framesUnrecorded',
  'framesDropped',
  'videoSwitches',
  'encoderRestarts',
  'audioTracks',
  'audioDiscontinuities',
  'lateAudioMs',
  'audioPeak',
  'audioRms',
  'audioOwnersReported',
  'audioSharedMs',
  'audioUnownedMs',
] as const;

/**
 * Parses one call of the binding. The page runs foreign scripts, so every field is validated.
 * @throws Error when it is not what our page script writes
 */
export function readBatch(text: unknown): ReadBatch {
  if (typeof text !== 'string' || text.length > batchCharactersMax) throw unreadable('no text, or too much of it');
  const batch: unknown = JSON.parse(text);
  if (!isRecord(batch) || !Array.isArray(batch['chunks']) || typeof batch['data'] !== 'string')
    throw unreadable('its shape');
  const opusHead = optionalBytes(batch['audioDescription']);
  const data = Buffer.from(batch['data'], 'base64');
  const headers = readHeaders(batch['chunks'], data);
  return {
    run: count(batch['run']),
    sequence: count(batch['sequence']),
    ...(opusHead ? { opusHead } : {}),
    chunks: readChunks(headers, readDescriptions(batch['videoDescriptions'])),
    participantPackets: readParticipantPackets(
      headers,
      batch['participants'] === undefined ? [] : readParticipants(batch['participants']),
    ),
    stats: readStats(batch['stats']),
    switches: batch['switches'] === undefined ? [] : readSwitches(batch['switches']),
    videoMissing: readSpans(batch['videoMissing'], missingVideoReasons, 'its missing video'),
    degradations: readSpans(batch['degradations'], degradationSteps, 'its degradations'),
    audioImpaired: readSpans(batch['audioImpaired'], audioImpairments, 'its impaired audio'),
    isLate: batch['late'] === true,
    continued: batch['continued'] === undefined ? null : readContinued(batch['continued']),
    tapped: batch['tapped'] === undefined ? null : readAudio(batch['tapped']),
    pausedMs: batch['pausedMs'] === undefined ? null : count(batch['pausedMs']),
    endMs: batch['endMs'] === undefined ? null : count(batch['endMs']),
  };
}

/** The descriptions, with the number of the first video chunk to which they apply. */
function readDescriptions(value: unknown): (readonly [beforeChunk: number, avcC: Uint8Array])[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw unreadable('its descriptions');
  return value.map((entry: unknown) => {
    const avcC = Array.isArray(entry) ? optionalBytes(entry[1]) : null;
    if (!Array.isArray(entry) || avcC === null) throw unreadable('a description');
    return [count(entry[0]), avcC];
  });
}

interface ReadHeader {
  readonly kind: number;
  readonly timeUs: number;
  readonly durationUs: number;
  /** Whether it is a key frame, or the index of its owner. */
  readonly mark: number;
  readonly bytes: Uint8Array;
}

const idCharactersMost = 1_000;
const nameCharactersMost = 200;

function readHeaders(headers: readonly unknown[], data: Buffer): ReadHeader[] {
  let offset = 0;
  const read = headers.map((header): ReadHeader => {
    if (!Array.isArray(header) || header.length !== 5) throw unreadable('a chunk header');
    const [kind, timeUs, durationUs, mark, length] = header.map(count) as [number, number, number, number, number];
    offset += length;
    return { kind, timeUs, durationUs, mark, bytes: data.subarray(offset - length, offset) };
  });
  if (offset !== data.length) throw unreadable('the length of its data');
  return read;
}

function readParticipants(value: unknown): AudioOwner[] {
  if (!Array.isArray(value)) throw unreadable('its participants');
  return value.map((participant: unknown) => {
    if (!isRecord(participant) || typeof participant['participantId'] !== 'string') throw unreadable('a participant');
    const { participantId, participantName } = participant;
    return {
      participantId: participantId.slice(0, idCharactersMost),
      participantName: typeof participantName === 'string' ? participantName.slice(0, nameCharactersMost) : null,
    };
  });
}

function isParticipants(kind: number): boolean {
  return kind === chunkKinds.spoken || kind === chunkKinds.unspoken;
}

function readParticipantPackets(
  headers: readonly ReadHeader[],
  participants: readonly AudioOwner[],
): ParticipantPacket[] {
  return headers
    .filter(({ kind }) => isParticipants(kind))
    .map(({ kind, timeUs, mark, bytes }) => {
      const participant = participants[mark];
      if (!participant) throw unreadable('whose audio it is');
      return { ...participant, timeUs, isSpoken: kind === chunkKinds.spoken, bytes };
    });
}

function readChunks(
  headers: readonly ReadHeader[],
  descriptions: readonly (readonly [beforeChunk: number, avcC: Uint8Array])[],
): CaptureChunk[] {
  let described = 0;
  const latestFor = (index: number): Uint8Array | null => {
    let avcC: Uint8Array | null = null;
    for (; described < descriptions.length && descriptions[described]![0] <= index; described += 1)
      avcC = descriptions[described]![1];
    return avcC;
  };
  // Descriptions count all preceding chunks.
  return headers.flatMap(({ kind, timeUs, durationUs, mark, bytes }, index): CaptureChunk[] => {
    if (isParticipants(kind)) return [];
    const isVideo = kind === chunkKinds.video;
    const avcC = isVideo ? latestFor(index) : null;
    return [{ kind: isVideo ? 'video' : 'audio', timeUs, durationUs, key: mark === 1, bytes, avcC }];
  });
}

function readSwitches(value: unknown): ReadSwitch[] {
  if (!Array.isArray(value)) throw unreadable('its ways');
  return value.map((strategySwitch: unknown) => {
    if (!isRecord(strategySwitch)) throw unreadable('a way');
    const media = oneOf(strategySwitch['media'], ['video', 'audio']);
    const names = media === 'video' ? videoStrategies : audioStrategies;
    const from = strategySwitch['from'] === null ? null : oneOf(strategySwitch['from'], names);
    return {
      media,
      from,
      to: oneOf(strategySwitch['to'], names),
      reason: oneOf(strategySwitch['reason'], strategyReasons),
      atMs: count(strategySwitch['atMs']),
    };
  });
}

function readSpans<Reason extends string>(
  value: unknown,
  reasons: readonly Reason[],
  what: string,
): ReasonSpan<Reason>[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw unreadable(what);
  return value.map((span: unknown) => {
    if (!isRecord(span)) throw unreadable(`a span of ${what}`);
    const reason = oneOf(span['reason'], reasons);
    return { startMs: count(span['startMs']), endMs: count(span['endMs']), reason };
  });
}

function readContinued(value: unknown): ReadBatch['continued'] {
  if (!isRecord(value)) throw unreadable('where it continues');
  return { atMs: count(value['atMs']), thread: oneOf(value['thread'], ['worker', 'page']) };
}

function oneOf<Name extends string>(value: unknown, names: readonly Name[]): Name {
  const name = names.find((one) => one === value);
  if (name === undefined) throw unreadable('a way');
  return name;
}

function readAudio(value: unknown): ReadAudio {
  if (!isRecord(value) || !Array.isArray(value['blocks'])) throw unreadable('its audio');
  const blocks = value['blocks'].map((block: unknown) => {
    if (!Array.isArray(block) || typeof block[1] !== 'string') throw unreadable('a block of audio');
    return { startMs: count(block[0]), pcm: Buffer.from(block[1], 'base64') };
  });
  return { blocks, dropped: count(value['dropped']) };
}

function readStats(value: unknown): CaptureStats {
  if (!isRecord(value)) throw unreadable('its figures');
  const counts = Object.fromEntries(countNames.map((name) => [name, count(value[name])])) as Record<
    (typeof countNames)[number],
    number
  >;
  const lastAudio = value['lastAudioDataAtMs'];
  const { lastError, degraded } = value;
  return {
    ...counts,
    lastAudioDataAtMs: lastAudio === null ? null : count(lastAudio),
    degraded: degraded === null ? null : oneOf(degraded, degradationSteps),
    lastError: typeof lastError === 'string' ? lastError.slice(0, 500) : null,
  };
}

function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw unreadable('a number');
  return value;
}

function optionalBytes(value: unknown): Uint8Array | null {
  return typeof value === 'string' ? Buffer.from(value, 'base64') : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(what: string): Error {
  return new Error(`A batch from the recorder's page script cannot be read: ${what}.`);
}
