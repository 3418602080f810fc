import { createHash } from 'node:crypto';
import type { MediaCache } from './media-cache.ts';
import { assembleAudio, audiblePlaces, composeAudio, encodeOpusLoop } from './audio-track.ts';
import type { AudioPacket } from './audio-track.ts';
import { h264Loop, vp8Loop } from './video-loop.ts';
import type { VideoKind, VideoLoop } from './video-loop.ts';
import { encodeH264, encodeVp8 } from './video-track.ts';
import type { VideoPlan } from './video-track.ts';
import { readUtteranceAudio } from '../participants/speech.ts';
import type { Utterance } from '../participants/speech.ts';

/** One participant's loop, ready to send: `audio` has one entry per 20 ms. */
export type ParticipantMedia = { video: VideoLoop; audio: (AudioPacket | null)[] };

export type ParticipantMediaPlan = {
  name: string;
  participantIndex: number;
  framesPerSecond: number;
  loopSeconds: number;
  turns: { startMs: number; endMs: number; utterance: Utterance }[];
  beepSeconds: number[];
};

const FORMAT_VERSION = 2;

/** Returns the participant's loop from the cache, or renders it (seconds of work) and stores it. */
export async function renderParticipantMedia(
  cache: MediaCache,
  plan: ParticipantMediaPlan,
  kind: VideoKind,
): Promise<ParticipantMedia> {
  const key = contentKey(plan);
  const places = audiblePlaces(plan.turns, plan.beepSeconds, plan.loopSeconds);
  const { opus, levels } = (await readAudio(cache, key)) ?? (await renderAudio(cache, plan, key));
  const video = await renderFrame(cache, { ...plan, levels, size: kind.size }, { codec: kind.codec, key });
  return { video, audio: assembleAudio(opus, levels, places) };
}

async function renderFrame(
  cache: MediaCache,
  plan: VideoPlan,
  { codec, key }: { codec: VideoKind['codec']; key: string },
): Promise<VideoLoop> {
  const name = plan.size === 'usual' ? key : `${key}.${plan.size}`;
  const keep = async (file: string, content: Buffer): Promise<Buffer> => {
    await cache.write(file, content);
    return content;
  };
  if (codec === 'vp8') {
    const file = `${name}.ivf`;
    return vp8Loop((await cache.read(file)) ?? (await keep(file, await encodeVp8(plan))));
  }
  const files = { stream: `${name}.h264`, entryStream: `${name}.entries.h264` };
  const known = { stream: await cache.read(files.stream), entryStream: await cache.read(files.entryStream) };
  if (known.stream !== null && known.entryStream !== null) return h264Loop(known.stream, known.entryStream);
  const { stream, entryStream } = await encodeH264(plan);
  return h264Loop(await keep(files.stream, stream), await keep(files.entryStream, entryStream));
}

/** The speech of these participants in one stream: the mix that some platforms' servers send. */
export async function renderMixedAudio(
  cache: MediaCache,
  plans: readonly ParticipantMediaPlan[],
): Promise<(AudioPacket | null)[]> {
  const [first] = plans;
  if (first === undefined) return [];
  const { loopSeconds } = first;
  const turns = plans.flatMap((plan) => plan.turns);
  const beepSeconds = [...new Set(plans.flatMap((plan) => plan.beepSeconds))];
  const places = audiblePlaces(turns, beepSeconds, loopSeconds);
  const key = createHash('sha256')
    .update(`mix of ${plans.map(contentKey).join()}`)
    .digest('hex')
    .slice(0, 32);
  const known = await readAudio(cache, key);
  const { opus, levels } = known ?? (await renderAudio(cache, { turns, beepSeconds, loopSeconds }, key));
  return assembleAudio(opus, levels, places);
}

function contentKey(plan: ParticipantMediaPlan): string {
  const turns = plan.turns.map((turn) => [turn.startMs, turn.utterance.key]);
  const { name, participantIndex, framesPerSecond, loopSeconds, beepSeconds } = plan;
  const content = [FORMAT_VERSION, name, participantIndex, framesPerSecond, loopSeconds, beepSeconds, turns];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

type AudioInput = { opus: Buffer[]; levels: number[] };

async function readAudio(cache: MediaCache, key: string): Promise<AudioInput | null> {
  const kept = await cache.read(`${key}.sound.json`);
  if (kept === null) return null;
  const { opus, levels } = JSON.parse(kept.toString()) as { opus: string[]; levels: number[] };
  return { opus: opus.map((packet) => Buffer.from(packet, 'base64')), levels };
}

async function renderAudio(
  cache: MediaCache,
  plan: Pick<ParticipantMediaPlan, 'turns' | 'beepSeconds' | 'loopSeconds'>,
  key: string,
): Promise<AudioInput> {
  const turns = await Promise.all(
    plan.turns.map(async (turn) => ({ ...turn, audio: await readUtteranceAudio(cache, turn.utterance) })),
  );
  const { loop, levels } = composeAudio(turns, plan.beepSeconds, plan.loopSeconds);
  const opus = await encodeOpusLoop(loop);
  const rounded = levels.map((level) => Math.round(level * 100_000) / 100_000);
  const kept = { opus: opus.map((packet) => packet.toString('base64')), levels: rounded };
  await cache.write(`${key}.sound.json`, Buffer.from(JSON.stringify(kept)));
  return { opus, levels: rounded };
}
