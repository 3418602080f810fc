import { createHash } from 'node:crypto';
import { readIvf } from './ivf.ts';
import type { MediaCache } from './media-cache.ts';
import { assembleSound, audiblePlaces, composeSound, encodeOpusLoop } from './sound-track.ts';
import type { SoundPacket } from './sound-track.ts';
import { encodeVideoLoop } from './video-track.ts';
import { readUtteranceSound } from '../people/speech.ts';
import type { Utterance } from '../people/speech.ts';

/** One person's loop, ready to send: `frames` VP8, one per frame time; `sound` one entry per 20 ms. */
export type PersonMedia = { frames: Buffer[]; sound: (SoundPacket | null)[] };

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
export async function renderPersonMedia(cache: MediaCache, plan: PersonMediaPlan): Promise<PersonMedia> {
  const key = contentKey(plan);
  const places = audiblePlaces(plan.turns, plan.beepSeconds, plan.loopSeconds);
  const known = await readRendered(cache, key);
  const { ivf, opus, levels } = known ?? (await render(cache, plan, key));
  return { frames: readIvf(ivf).frames, sound: assembleSound(opus, levels, places) };
}

function contentKey(plan: PersonMediaPlan): string {
  const turns = plan.turns.map((turn) => [turn.startMs, turn.utterance.key]);
  const { name, personIndex, framesPerSecond, loopSeconds, beepSeconds } = plan;
  const content = [FORMAT_VERSION, name, personIndex, framesPerSecond, loopSeconds, beepSeconds, turns];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

type Rendered = { ivf: Buffer; opus: Buffer[]; levels: number[] };

async function readRendered(cache: MediaCache, key: string): Promise<Rendered | null> {
  const [ivf, sound] = await Promise.all([cache.read(`${key}.ivf`), cache.read(`${key}.sound.json`)]);
  if (ivf === null || sound === null) return null;
  const { opus, levels } = JSON.parse(sound.toString()) as { opus: string[]; levels: number[] };
  return { ivf, opus: opus.map((packet) => Buffer.from(packet, 'base64')), levels };
}

async function render(cache: MediaCache, plan: PersonMediaPlan, key: string): Promise<Rendered> {
  const turns = await Promise.all(
    plan.turns.map(async (turn) => ({ ...turn, sound: await readUtteranceSound(cache, turn.utterance) })),
  );
  const { loop, levels } = composeSound(turns, plan.beepSeconds, plan.loopSeconds);
  const [opus, ivf] = [await encodeOpusLoop(loop), await encodeVideoLoop({ ...plan, levels })];
  const rounded = levels.map((level) => Math.round(level * 100_000) / 100_000);
  const sound = { opus: opus.map((packet) => packet.toString('base64')), levels: rounded };
  await cache.write(`${key}.sound.json`, Buffer.from(JSON.stringify(sound)));
  await cache.write(`${key}.ivf`, ivf);
  return { ivf, opus, levels: rounded };
}
