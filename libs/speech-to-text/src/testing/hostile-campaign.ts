import { randomBytes, randomUUID } from 'node:crypto';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp, OutboundMessage, OutboundSocket, SocketEnd } from '@rapporteur/outbound-http';
import { seeded } from '@rapporteur/simulator/seeded';
import { blockMs, scriptedBlock, startSpeechProviderServer } from '@rapporteur/simulator/speech-providers';
import type { SpeechProviderServer } from '@rapporteur/simulator/speech-providers';
import { createBatchProvider } from '../create-batch-provider.ts';
import { SpeechToTextFailure } from '../failure.ts';
import type { LiveEvent } from '../live-provider.ts';
import { openLiveSession } from '../open-live-session.ts';
import type { LiveVendorName } from '../open-live-session.ts';
import type { BatchProviderName } from '../providers.ts';
import type { Transcript } from '../transcript.ts';
import { audioOf, conversation } from './batch-suite.ts';
import { hostileBytes } from './hostile-bytes.ts';

const batchNames = ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'openai-compatible'] as const;
const liveNames = ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'elevenlabs', 'local'] as const;

export interface HostileResult {
  readonly responses: number;
  /** Failures of this library, by kind. */
  readonly failures: Readonly<Record<string, number>>;
  /** Valid responses that were accepted. */
  readonly accepted: number;
  /** Failures of the campaign: other errors, and invalid transcripts. */
  readonly broken: readonly string[];
}

class Tally {
  readonly failures: Record<string, number> = {};
  readonly broken: string[] = [];
  accepted = 0;

  /** @param seed repeats this response alone */
  note(outcome: unknown, name: string, seed: number): void {
    if (outcome instanceof SpeechToTextFailure) {
      this.failures[outcome.kind] = (this.failures[outcome.kind] ?? 0) + 1;
      if (outcome.message.length > 400) this.broken.push(`${name} ${seed}: a long message`);
    } else if (outcome instanceof Error) this.broken.push(`${name} ${seed}: ${outcome.message.slice(0, 200)}`);
    else this.accepted += 1;
  }
}

/** Sends every provider responses with sampled errors. */
export async function runHostileCampaign(options: { responses: number; seed: number }): Promise<HostileResult> {
  const server = await startSpeechProviderServer();
  const http = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  const tally = new Tally();
  try {
    const batch = await Promise.all(batchNames.map(async (name) => await recordBatch(name, server, http)));
    const live = await Promise.all(liveNames.map(async (name) => await recordLive(name, server, http)));
    for (let index = 0; index < options.responses; index += 1) {
      const seed = options.seed + index;
      if (index % 2 === 0) await strikeBatch(batch[(index / 2) % batch.length]!, seed, tally);
      else await strikeLive(live[((index - 1) / 2) % live.length]!, seed, tally);
    }
    const { failures, broken, accepted } = tally;
    return { responses: options.responses, failures, accepted, broken };
  } finally {
    http.close();
    await server.stop();
  }
}

interface BatchRecord {
  readonly name: BatchProviderName;
  /** Valid responses, one per request. */
  readonly bodies: readonly string[];
}

/** All messages of a provider for one transcript. */
async function transcribe(
  name: BatchProviderName,
  http: Pick<OutboundHttp, 'request'>,
  baseUrl: string,
  bytes: Buffer,
) {
  const provider = createBatchProvider(name, { http, baseUrl, apiKey: 'key', customParams: {} });
  const audio = audioOf(bytes);
  const upload = await provider.upload(audio);
  const reference = randomUUID();
  const submitted = await provider.submit({ reference, audio, upload, callbackUrl: null, speakers: 'several' });
  if (submitted.kind === 'transcript') return submitted.transcript;
  const state = await provider.read(submitted.jobId);
  return state.kind === 'transcript' ? state.transcript : null;
}

async function recordBatch(
  name: BatchProviderName,
  server: SpeechProviderServer,
  http: OutboundHttp,
): Promise<BatchRecord> {
  const bodies: string[] = [];
  const recording: Pick<OutboundHttp, 'request'> = {
    request: async (request) => {
      const response = await http.request(request);
      bodies.push(response.bodyPrefix.toString('utf8'));
      return response;
    },
  };
  const bytes = randomBytes(200);
  server.teach(bytes, conversation);
  const path = name === 'openai-compatible' ? 'openai' : name;
  await transcribe(name, recording, `${server.url}/${path}`, bytes);
  return { name, bodies };
}

async function strikeBatch({ name, bodies }: BatchRecord, seed: number, tally: Tally): Promise<void> {
  const random = seeded(seed);
  const struck = Math.floor(random() * bodies.length);
  let request = 0;
  const http: Pick<OutboundHttp, 'request'> = {
    request: async () => {
      const valid = bodies[request] ?? '{}';
      const body = request === struck ? hostileBytes(valid, random) : Buffer.from(valid);
      request += 1;
      return { status: 200, headers: {}, bodyPrefix: body } as unknown as Awaited<ReturnType<OutboundHttp['request']>>;
    },
  };
  const outcome = await transcribe(name, http, 'https://provider.example', Buffer.from('audio')).then(
    (transcript) => (transcript === null ? null : problemOf(transcript)),
    (error: unknown) => error,
  );
  tally.note(outcome, name, seed);
}

const isTime = (ms: number): boolean => Number.isInteger(ms) && ms >= 0;
const isConfidence = (value: number | null): boolean => value === null || (value >= 0 && value <= 1);

interface Spoken {
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number | null;
}

function isPlausible({ startMs, endMs, confidence }: Spoken): boolean {
  return isTime(startMs) && isTime(endMs) && endMs >= startMs && isConfidence(confidence);
}

function problemOf({ utterances }: Pick<Transcript, 'utterances'>): Error | null {
  const spoken = utterances.flatMap((utterance) => [utterance, ...utterance.words]);
  return spoken.every(isPlausible) ? null : new Error('A transcript breaks its own rules.');
}

interface LiveRecord {
  readonly name: LiveVendorName;
  readonly messages: readonly string[];
}

async function recordLive(
  name: LiveRecord['name'],
  server: SpeechProviderServer,
  http: OutboundHttp,
): Promise<LiveRecord> {
  const messages: string[] = [];
  const connectSocket: OutboundHttp['connectSocket'] = async (request) => {
    const socket = await http.connectSocket(request);
    const onMessage: OutboundSocket['onMessage'] = (listener) =>
      socket.onMessage((message) => {
        messages.push(String(message));
        listener(message);
      });
    return {
      send: (message) => socket.send(message),
      onMessage,
      close: () => socket.close(),
      ended: socket.ended,
      get waitingBytes() {
        return socket.waitingBytes;
      },
    };
  };
  const baseUrl = `${name === 'gladia' ? server.url : server.url.replace(/^http/, 'ws')}/${name}`;
  const session = await openLiveSession(name, {
    connections: { request: http.request, connectSocket },
    baseUrl,
    apiKey: 'key',
    region: null,
    customParams: name === 'speechmatics' ? { language: 'en' } : {},
    onEvent: () => undefined,
  });
  const script = server.providers.live.registerScript(conversation);
  for (let atMs = 0; atMs < conversation.durationMs; atMs += blockMs) session.send(scriptedBlock({ script, atMs }));
  await session.finish(5_000);
  return { name, messages };
}

/** A connection over which a provider sends these messages. */
function scriptedSocket(messages: readonly OutboundMessage[]): OutboundSocket {
  const { promise, resolve } = Promise.withResolvers<SocketEnd>();
  return {
    send: () => true,
    waitingBytes: 0,
    onMessage: (listener) => {
      for (const message of messages) listener(message);
      resolve({ why: 'closed-by-them', code: 1_000 });
    },
    ended: promise,
    close: async () => resolve({ why: 'closed-by-us', code: 1_000 }),
  };
}

async function strikeLive({ name, messages }: LiveRecord, seed: number, tally: Tally): Promise<void> {
  const random = seeded(seed);
  const struck = Math.floor(random() * messages.length);
  const bytes = hostileBytes(messages[struck] ?? '{}', random);
  // Text frames are valid UTF-8; other bytes are sent as binary frames.
  const hostile: OutboundMessage = random() < 0.5 ? bytes.toString('utf8') : bytes;
  const sent = messages.map((message, index) => (index === struck ? hostile : message));
  const events: LiveEvent[] = [];
  const response = { status: 200, headers: {}, bodyPrefix: Buffer.from('{"url":"wss://provider.example/live"}') };
  const outcome = await openLiveSession(name, {
    connections: {
      request: async () => response as unknown as Awaited<ReturnType<OutboundHttp['request']>>,
      connectSocket: async () => scriptedSocket(sent),
    },
    baseUrl: 'https://provider.example',
    apiKey: 'key',
    region: null,
    customParams: {},
    onEvent: (event) => void events.push(event),
  }).then(
    async (session) => await session.ended,
    (error: unknown) => error,
  );
  const spoken = events.flatMap((event) =>
    event.kind === 'utterance' ? [event.utterance, ...event.utterance.words] : [],
  );
  tally.note(spoken.every(isPlausible) ? outcome : new Error('An utterance breaks its own rules.'), name, seed);
}
