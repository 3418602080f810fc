import { runProgram } from '../programs.ts';
import * as pcm from './pcm.ts';

/** What one 20 ms place of the loop sends; a place without audio sends nothing at all. */
export type AudioPacket = {
  payload: Buffer;
  /** Level of the speech alone, 0 (loudest) to 127 (none), as the ssrc-audio-level header extension carries it. */
  levelDbov: number;
  /** First packet after a silence: carries the RTP marker. */
  startsSpurt: boolean;
};

export type AudioSpan = { startMs: number; endMs: number; audio: Float32Array };

/** Leading silence, so that the listener's jitter buffer has settled before the first syllable. */
const BEFORE_SPEECH_MS = 500;
/** Trailing silence is sent too, so that the listener's loss concealment stretches silence and not a syllable. */
const AFTER_SPEECH_MS = 240;
const BEFORE_BEEP_MS = 400;
const AFTER_BEEP_MS = 120;
const WARM_UP_PACKETS = 50;
const USUAL_ENCODER_DELAY_SAMPLES = 312;
const OPUS_OPTIONS = '-c:a libopus -b:a 32k -frame_duration 20 -application audio';
const ENCODE_DEADLINE_MS = 120_000;

/** One participant's audio of the whole loop, still uncompressed; `levels` is the speech alone, per 20 ms. */
export function composeAudio(turns: readonly AudioSpan[], beepSeconds: readonly number[], loopSeconds: number) {
  const loop = new Float32Array(loopSeconds * pcm.SAMPLE_RATE_HZ);
  for (const turn of turns) pcm.mixInto(loop, turn.audio, turn.startMs);
  const levels = pcm.packetLevels(loop);
  const beep = pcm.createBeep();
  for (const second of beepSeconds) pcm.mixInto(loop, beep, second * 1000);
  return { loop, levels };
}

/** Which 20 ms places of the loop are sent. */
export function audiblePlaces(
  turns: readonly { startMs: number; endMs: number }[],
  beepSeconds: readonly number[],
  loopSeconds: number,
): boolean[] {
  const places = Array.from({ length: (loopSeconds * 1000) / pcm.PACKET_MS }, () => false);
  const mark = (fromMs: number, toMs: number) => {
    for (let place = Math.floor(fromMs / pcm.PACKET_MS); place * pcm.PACKET_MS < toMs; place += 1) {
      places[(place + places.length) % places.length] = true;
    }
  };
  for (const turn of turns) mark(turn.startMs - BEFORE_SPEECH_MS, turn.endMs + AFTER_SPEECH_MS);
  for (const second of beepSeconds) mark(second * 1000 - BEFORE_BEEP_MS, second * 1000 + AFTER_BEEP_MS);
  return places;
}

/** Encodes the loop so that packet n, decoded in a running stream, plays exactly from n * 20 ms on. */
export async function encodeOpusLoop(loop: Float32Array): Promise<Buffer[]> {
  let encoded = await encodeAhead(loop, USUAL_ENCODER_DELAY_SAMPLES);
  if (encoded.preSkipSamples !== USUAL_ENCODER_DELAY_SAMPLES) encoded = await encodeAhead(loop, encoded.preSkipSamples);
  const packets = encoded.packets.slice(WARM_UP_PACKETS, WARM_UP_PACKETS + loop.length / pcm.PACKET_SAMPLES);
  if (packets.length * pcm.PACKET_SAMPLES !== loop.length)
    throw new Error('ffmpeg returned fewer Opus packets than requested.');
  return packets;
}

async function encodeAhead(loop: Float32Array, delaySamples: number): Promise<OggOpusFile> {
  const advanced = pcm.rotate(loop, delaySamples);
  // The loop's last second goes in front, so that the encoder's state at the loop's start is that of a running stream.
  const warmUp = advanced.subarray(advanced.length - WARM_UP_PACKETS * pcm.PACKET_SAMPLES);
  const rate = pcm.SAMPLE_RATE_HZ;
  const ogg = await runProgram({
    program: 'ffmpeg',
    arguments: `-v error -f s16le -ar ${rate} -ac 1 -i pipe:0 ${OPUS_OPTIONS} -f ogg pipe:1`.split(' '),
    deadlineMs: ENCODE_DEADLINE_MS,
    input: [pcm.encodePcm16(warmUp), pcm.encodePcm16(advanced)],
  });
  return readOggOpus(ogg);
}

/** Combines packets, levels and gaps. */
export function assembleAudio(
  packets: readonly Buffer[],
  levels: readonly number[],
  places: readonly boolean[],
): (AudioPacket | null)[] {
  return packets.map((payload, place) => {
    if (places[place] !== true) return null;
    const before = places[(place + places.length - 1) % places.length] === true;
    return { payload, levelDbov: pcm.audioLevelDbov(levels[place] ?? 0), startsSpurt: !before };
  });
}

type OggOpusFile = { preSkipSamples: number; packets: Buffer[] };

const PAGE_HEADER_BYTES = 27;

/** Splits an Ogg file with one Opus stream into its packets (header packets left out). Throws on anything else. */
export function readOggOpus(file: Buffer): OggOpusFile {
  const all = readOggPackets(file);
  const [head, tags, ...packets] = all;
  if (head?.toString('latin1', 0, 8) !== 'OpusHead')
    throw new Error('The Ogg file does not start with an Opus header.');
  if (tags?.toString('latin1', 0, 8) !== 'OpusTags') throw new Error('The Ogg file has no Opus comment packet.');
  return { preSkipSamples: head.readUInt16LE(10), packets };
}

function readOggPackets(file: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let unfinished: Buffer[] = [];
  let offset = 0;
  while (offset < file.length) {
    if (file.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error('Not an Ogg page.');
    const segmentCount = file[offset + 26] ?? 0;
    const lengths = file.subarray(offset + PAGE_HEADER_BYTES, offset + PAGE_HEADER_BYTES + segmentCount);
    let position = offset + PAGE_HEADER_BYTES + segmentCount;
    for (const length of lengths) {
      if (position + length > file.length) throw new Error('The Ogg file ends inside a packet.');
      unfinished.push(file.subarray(position, position + length));
      position += length;
      // After a segment of 255 bytes the packet continues in the next segment, which may be on the next page.
      if (length === 255) continue;
      packets.push(unfinished.length === 1 ? (unfinished[0] as Buffer) : Buffer.concat(unfinished));
      unfinished = [];
    }
    offset = position;
  }
  return packets;
}
