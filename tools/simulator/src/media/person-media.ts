import { createHash } from 'node:crypto';
import type { MediaCache } from './media-cache.ts';
import { assembleSound, audiblePlaces, composeSound, encodeOpusLoop } from './sound-track.ts';
import type { SoundPacket } from './sound-track.ts';
import { h264Loop, vp8Loop } from './picture-loop.ts';
import type { PictureKind, PictureLoop } from './picture-loop.ts';
import { encodeH264, encodeVp8 } from './video-track.ts';
import type { VideoPlan } from './video-track.ts';
import { readUtteranceSound } from '../people/speech.ts';
import type { Utterance } from '../people/speech.ts';

/** One person's loop, ready to send: `sound` has one entry per 20 ms. */
export type PersonMedia = { picture: PictureLoop; sound: (SoundPacket | null)[] };

export type PersonMediaPlan = {
  name: string;
  personIndex: number;
  framesPerSecond: number;
  loopSeconds: number;
  turns: { startMs: number; endMs: number; utterance: Utterance }[];
  beepSeconds: number[];
};

const FORMAT_VERSION = 2;

/** Gives the person's loop from the cache, or renders it (seconds of work) and keeps it. */
export async function renderPersonMedia(
  cache: MediaCache,
  plan: PersonMediaPlan,
  kind: PictureKind,
): Promise<PersonMedia> {
  const key = contentKey(plan);
  const places = audiblePlaces(plan.turns, plan.beepSeconds, plan.loopSeconds);
  const { opus, levels } = (await readSound(cache, key)) ?? (await renderSound(cache, plan, key));
  const picture = await renderPicture(cache, { ...plan, levels, size: kind.size }, { codec: kind.codec, key });
  return { picture, sound: assembleSound(opus, levels, places) };
}

async function renderPicture(
  cache: MediaCache,
  plan: VideoPlan,
  { codec, key }: { codec: PictureKind['codec']; key: string },
): Promise<PictureLoop> {
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

/** What everybody of these people says, as one sound: the mix that some platforms' servers send. */
export async function renderMixedSound(
  cache: MediaCache,
  plans: readonly PersonMediaPlan[],
): Promise<(SoundPacket | null)[]> {
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
  const known = await readSound(cache, key);
  const { opus, levels } = known ?? (await renderSound(cache, { turns, beepSeconds, loopSeconds }, key));
  return assembleSound(opus, levels, places);
}

function contentKey(plan: PersonMediaPlan): string {
  const turns = plan.turns.map((turn) => [turn.startMs, turn.utterance.key]);
  const { name, personIndex, framesPerSecond, loopSeconds, beepSeconds } = plan;
  const content = [FORMAT_VERSION, name, personIndex, framesPerSecond, loopSeconds, beepSeconds, turns];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

type Sound = { opus: Buffer[]; levels: number[] };

async function readSound(cache: MediaCache, key: string): Promise<Sound | null> {
  const kept = await cache.read(`${key}.sound.json`);
  if (kept === null) return null;
  const { opus, levels } = JSON.parse(kept.toString()) as { opus: string[]; levels: number[] };
  return { opus: opus.map((packet) => Buffer.from(packet, 'base64')), levels };
}

async function renderSound(
  cache: MediaCache,
  plan: Pick<PersonMediaPlan, 'turns' | 'beepSeconds' | 'loopSeconds'>,
  key: string,
): Promise<Sound> {
  const turns = await Promise.all(
    plan.turns.map(async (turn) => ({ ...turn, sound: await readUtteranceSound(cache, turn.utterance) })),
  );
  const { loop, levels } = composeSound(turns, plan.beepSeconds, plan.loopSeconds);
  const opus = await encodeOpusLoop(loop);
  const rounded = levels.map((level) => Math.round(level * 100_000) / 100_000);
  const kept = { opus: opus.map((packet) => packet.toString('base64')), levels: rounded };
  await cache.write(`${key}.sound.json`, Buffer.from(JSON.stringify(kept)));
  return { opus, levels: rounded };
}
