import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runLiveCampaign } from '@rapporteur/bot-runner/testing';
import { startStack } from '@rapporteur/local-stack/stack';
import { waitFor } from '@rapporteur/testbed';
import { machine } from '../measure/figures.ts';
import { findLoopOffset, quietEnds, speakerWordErrors, wordErrors, wordsBetween } from './word-errors.ts';
import type { PlacedWord } from './word-errors.ts';

const root = join(import.meta.dirname, '../../../..');
const loopSeconds = 60;
const goals: ReadonlyMap<string, { readonly all: number; readonly bySpeaker: number }> = new Map([
  ['local', { all: 0.08, bySpeaker: 0.1 }],
  ['simulated-deepgram', { all: 0.05, bySpeaker: 0.05 }],
  ['meeting_captions', { all: 0.02, bySpeaker: 0.03 }],
]);
/** Words are cut at both ends of a recording. Captions are turned on in the call, and start late. */
const marginsMs: Readonly<Record<string, { readonly begin: number; readonly end: number }>> = {
  local: { begin: 2_000, end: 2_000 },
  meeting_captions: { begin: 8_000, end: 4_000 },
};

interface Room {
  readonly url: string;
  readonly schedule: readonly {
    readonly name: string;
    readonly words: readonly { readonly word: string; readonly startMs: number; readonly endMs: number }[];
  }[];
}

interface Transcription {
  readonly result: {
    readonly total_duration: number;
    readonly utterances: readonly {
      readonly speaker: string;
      readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
    }[];
  };
}

export interface TranscriptsOptions {
  readonly seconds: number;
  /** The measured providers; empty: all, and a live session. */
  readonly providers: readonly string[];
  readonly say: (text: string) => void;
}

/**
 * Word errors of transcripts of simulated meetings, through the API, and the latency of live segments. @returns whether
 * the goals are met
 */
export async function measureTranscripts({ seconds, providers, say }: TranscriptsOptions): Promise<boolean> {
  say(machine());
  const dataFolder = mkdtempSync(join(tmpdir(), 'rapporteur-transcripts-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(dataFolder, 0o755);
  const ports = { api: 0, files: 0, simulator: 0 };
  const settings = { 'bot-scheduler': { WAITS_FOR_CPU: 'false' } };
  const options = { dataFolder, ports, simulator: true, maxConcurrentBots: 2, logLevel: 'warn', settings } as const;
  const results: boolean[] = [];
  try {
    const stack = await startStack(options, { root, say });
    try {
      const api = new Api(stack.apiUrl, stack.firstKey ?? '', stack.simulatorUrl ?? '');
      for (const overlap of [false, true]) {
        const measured = (overlap ? ['simulated-deepgram'] : [...goals.keys()]).filter(
          (provider) => providers.length === 0 || providers.includes(provider),
        );
        if (measured.length === 0) continue;
        const room = await api.startRoom(overlap);
        for (const provider of measured) {
          results.push(await measureOne(api, { room, provider, overlap, seconds, say }));
        }
      }
    } finally {
      await stack.stop();
    }
    if (providers.length === 0) results.push(await measureLive(say));
    say(machine());
    return results.every(Boolean);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

interface Measurement extends Omit<TranscriptsOptions, 'providers'> {
  readonly room: Room;
  readonly provider: string;
  readonly overlap: boolean;
}

async function measureOne(api: Api, { room, provider, overlap, seconds, say }: Measurement): Promise<boolean> {
  const transcription = await api.transcribe(room, provider, seconds);
  const recognized = transcription.result.utterances.flatMap(({ speaker, words }) =>
    words.map(({ word, start, end }) => ({ text: word, startMs: start * 1_000, endMs: end * 1_000, speaker })),
  );
  const loop = room.schedule.flatMap(({ name, words }) =>
    words.map(({ word, startMs, endMs }) => ({ text: word, startMs, endMs, speaker: name })),
  );
  const loopMs = loopSeconds * 1_000;
  const offsetMs = findLoopOffset(loop, recognized, loopMs) ?? 0;
  const margins = marginsMs[provider] ?? marginsMs['local']!;
  const lastMs = transcription.result.total_duration * 1_000 - margins.end;
  const whole = wordsBetween(loop, { offsetMs, loopMs, fromMs: margins.begin, toMs: lastMs });
  const { fromMs, toMs } = quietEnds(whole) ?? { fromMs: margins.begin, toMs: lastMs };
  const said = whole.filter(({ startMs, endMs }) => startMs >= fromMs && endMs <= toMs);
  const inside = (word: PlacedWord): boolean =>
    (word.startMs + word.endMs) / 2 >= fromMs && (word.startMs + word.endMs) / 2 <= toMs;
  const judged = recognized.filter(inside);
  const [all, bySpeaker] = [wordErrors(said, judged), speakerWordErrors(said, judged)];
  const goal = goals.get(provider) ?? { all: 0.05, bySpeaker: 0.05 };
  const isMet = said.length > 20 && all.rate <= goal.all && bySpeaker.rate <= goal.bySpeaker;
  say(
    `${provider}, 4 participants${overlap ? ', overlapping' : ''}: ${said.length} words, word error rate ${all.rate.toFixed(3)}, speaker-attributed ${bySpeaker.rate.toFixed(3)}; goals <= ${goal.all} and ${goal.bySpeaker}: ${isMet ? 'met' : 'MISSED'}`,
  );
  return isMet;
}

const mostLateMs = 1_500;

async function measureLive(say: (text: string) => void): Promise<boolean> {
  const result = await runLiveCampaign({ provider: 'deepgram', minutes: 1, speed: 1, cuts: 0, seed: 11, delayMs: 300 });
  const isMet = result.p95Ms <= mostLateMs && result.lost === 0 && result.repeated === 0;
  say(
    `live, 60 s of replayed audio: p95 from the end of a word to its final segment ${result.p95Ms} ms beyond the provider's delay, ${result.lost} lost, ${result.repeated} repeated; goal <= ${mostLateMs} ms: ${isMet ? 'met' : 'MISSED'}`,
  );
  return isMet;
}

/** The deployment and its simulator, as a customer and a user of the simulator use them. */
class Api {
  readonly #url: string;
  readonly #key: string;
  readonly #simulatorUrl: string;

  constructor(url: string, key: string, simulatorUrl: string) {
    this.#url = url;
    this.#key = key;
    this.#simulatorUrl = simulatorUrl;
  }

  startRoom(overlap: boolean): Promise<Room> {
    return this.#call<Room>(`${this.#simulatorUrl}/rooms`, 'POST', { speakers: 4, loopSeconds, overlap });
  }

  async transcribe(room: Room, provider: string, seconds: number): Promise<Transcription> {
    const created = await this.#call<{ data: { bot_id: string } }>(`${this.#url}/v2/bots`, 'POST', {
      bot_name: 'Rapporteur',
      meeting_url: room.url,
      recording_mode: 'audio_only',
      allow_multiple_bots: true,
      transcription_enabled: true,
      transcription_config: { provider },
    });
    const address = `${this.#url}/v2/bots/${created.data.bot_id}`;
    const read = async () =>
      (await this.#call<{ data: { status: string; transcription: string | null } }>(address, 'GET')).data;
    await waitFor(async () => (await read()).status === 'in_call_recording', {
      what: 'the recording',
      timeoutMs: 90_000,
    });
    await sleep(seconds * 1_000);
    await this.#call(`${address}/leave`, 'POST', {});
    const bot = await waitFor(
      async () => {
        const known = await read();
        if (known.status === 'failed') throw new Error('The bot failed.');
        return known.status === 'completed' ? known : null;
      },
      { what: 'the transcript', timeoutMs: 300_000 },
    );
    return await this.#call<Transcription>(bot.transcription ?? '', 'GET');
  }

  async #call<T>(url: string, method: string, body?: object): Promise<T> {
    const response = await fetch(url, {
      method,
      headers: url.startsWith(this.#url)
        ? { 'x-service-api-key': this.#key, 'content-type': 'application/json' }
        : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(90_000),
    });
    if (!response.ok)
      throw new Error(`${method} ${url.split('?')[0]} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}
