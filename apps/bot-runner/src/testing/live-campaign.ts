import { setTimeout as sleep } from 'node:timers/promises';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { systemClock } from '@rapporteur/service-runtime/process';
import type { LiveVendorName } from '@rapporteur/speech-to-text';
import { blockMs, scriptedBlock, startSpeechProviderServer } from '@rapporteur/simulator/speech-providers';
import type { SpeechProviderServer, SpeechTruth } from '@rapporteur/simulator/speech-providers';
import { seeded, waitFor } from '@rapporteur/testbed';
import { openWith } from '../streaming/open-streaming.ts';
import { createStreaming } from '../streaming/streaming.ts';
import type { Streaming } from '../streaming/streaming.ts';
import { FakeSpeech, turnOf } from './fake-stream.ts';
import { quietLogger } from './quiet-logger.ts';
import { startTranscriptReceiver } from '@rapporteur/testbed/transcript-receiver';
import type { ReceivedMessage, TranscriptReceiver } from '@rapporteur/testbed/transcript-receiver';

export interface LiveCampaign {
  readonly provider: LiveVendorName;
  /** Length of the meeting. */
  readonly minutes: number;
  /** Speed of the audio, as a multiple of real time. */
  readonly speed: number;
  /** Number of cut connections, alternately to the provider and to the receiver, at equal intervals. */
  readonly cuts: number;
  readonly seed: number;
  /** Response time of the provider. */
  readonly delayMs?: number;
}

export interface LiveCampaignResult {
  readonly words: number;
  readonly lost: number;
  readonly repeated: number;
  /** Numbered messages that arrived out of order, or twice over one connection. */
  readonly outOfOrder: number;
  /** Words attributed to another speaker than the right one. */
  readonly wrongSpeaker: number;
  readonly providerSessions: number;
  /** Audio that the provider received, relative to the audio of the meeting. */
  readonly audioShare: number;
  /** From the end of an utterance's last word to its final segment, without the provider's own delay. */
  readonly p95Ms: number;
}

const participants = ['Alice', 'Bruno', 'Chiara', 'Deniz'] as const;
/** Silence after which the simulated providers end an utterance. */
const providerPauseMs = 500;

/** Transcribes replayed audio live, cuts connections, and compares what arrived with the speech. */
export async function runLiveCampaign(campaign: LiveCampaign): Promise<LiveCampaignResult> {
  const server = await startSpeechProviderServer();
  const receiver = await startTranscriptReceiver();
  server.providers.live.delayMs = campaign.delayMs ?? 0;
  try {
    return await transcribe(campaign, { server, receiver });
  } finally {
    await receiver.stop();
    await server.stop();
  }
}

interface Surroundings {
  readonly server: SpeechProviderServer;
  readonly receiver: TranscriptReceiver;
}

/** How long a step may take on a busy machine. */
const stepMs = 60_000;

async function transcribe(campaign: LiveCampaign, { server, receiver }: Surroundings): Promise<LiveCampaignResult> {
  const truth = generateMeeting(campaign);
  const script = server.providers.live.registerScript(truth);
  const speech = new FakeSpeech();
  for (const name of participants) speech.notify(speech.appears(name, name));
  const streaming = openCampaignStreaming(campaign, { url: server.url, receiver, speech });
  for (const name of participants) speech.notify(speech.appears(name, name));
  await streaming.ready?.(new AbortController().signal);
  streaming.joined?.();
  streaming.recordingStarted?.();
  const startMs = Date.now();
  const cutEveryMs = truth.durationMs / (campaign.cuts + 1);
  /** When each block was given to the bot, epoch ms. */
  const fedMs: number[] = [];
  const isComplete = (): boolean => receiver.isConnected && countWords(receiver.messages) >= truth.words.length;
  let cuts = 0;
  let endMs = Infinity;
  // As in a meeting, silence follows the last word. A late block delays those after it: audio never comes in bursts.
  for (let atMs = 0; atMs < truth.durationMs || (!isComplete() && Date.now() < endMs); atMs += blockMs) {
    if (atMs < truth.durationMs) endMs = Date.now() + stepMs;
    await sleep(Math.max(1, blockMs / campaign.speed - (Date.now() - (fedMs.at(-1) ?? startMs))));
    signalSpeakers(speech, truth, { startMs, atMs });
    streaming.audioTap?.onAudio(scriptedBlock({ script, atMs }), startMs + atMs);
    fedMs.push(Date.now());
    if (cuts >= campaign.cuts || atMs < (cuts + 1) * cutEveryMs) continue;
    await cutConnection(campaign, { server, receiver }, cuts);
    cuts += 1;
  }
  await streaming.over?.();
  return judge(campaign, { truth, receiver, server, fedMs });
}

/** Cuts an open connection: alternately to the provider and to the receiver. */
async function cutConnection({ provider }: LiveCampaign, { server, receiver }: Surroundings, cuts: number) {
  const { live } = server.providers;
  const [what, stands, cut] =
    cuts % 2 === 0
      ? (['a session', () => live.counts(provider).sessions === cuts / 2 + 1, () => live.cut()] as const)
      : (['a receiver', () => receiver.isConnected, () => receiver.cut()] as const);
  await waitFor(stands, { what: `${what} to cut`, timeoutMs: stepMs });
  cut();
}

function openCampaignStreaming(
  { provider }: LiveCampaign,
  {
    url,
    receiver,
    speech,
  }: { readonly url: string; readonly receiver: TranscriptReceiver; readonly speech: FakeSpeech },
): Streaming {
  const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
  const address = `${provider === 'gladia' ? url : url.replace(/^http/, 'ws')}/${provider}`;
  const customParams = provider === 'speechmatics' ? { language: 'en' } : {};
  const engine = { provider, region: null, address, apiKey: 'key', customParams };
  return createStreaming(
    { mode: 'transcription', output_url: receiver.url, input_url: null, audio_frequency: 24_000 },
    {
      botId: 'bot-1',
      outbound,
      session: speech,
      clock: systemClock,
      logger: quietLogger,
      transcription: { settings: { engines: [engine], extra: { customer: 'c-1' } }, openSession: openWith(outbound) },
    },
  );
}

/** Turns that begin or end in this block, as the platform signals them. */
function signalSpeakers(speech: FakeSpeech, { words }: SpeechTruth, at: { startMs: number; atMs: number }): void {
  for (const [index, { speaker, startMs, endMs }] of words.entries()) {
    const isIn = (ms: number): boolean => ms >= at.atMs && ms < at.atMs + blockMs;
    if (isIn(startMs)) speech.notify(speech.speaks(turnOf(index, speaker, at.startMs + startMs)));
    if (isIn(endMs)) speech.notify(speech.ends(index, at.startMs + endMs));
  }
}

/** Sentences of four participants, one after the other, with pauses between them. */
export function generateMeeting({ minutes, seed }: Pick<LiveCampaign, 'minutes' | 'seed'>): SpeechTruth {
  const random = seeded(seed);
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  const durationMs = minutes * 60_000;
  const words: SpeechTruth['words'] = [];
  for (let atMs = 500; atMs < durationMs - 8_000;) {
    const speaker = participants[between(0, participants.length - 1)] ?? participants[0];
    for (let count = between(2, 10); count > 0; count -= 1) {
      const endMs = atMs + between(120, 420);
      words.push({ text: `word${words.length}`, startMs: atMs, endMs, speaker });
      atMs = endMs + between(10, 60);
    }
    atMs += between(700, 1_500);
  }
  return { durationMs, words };
}

const textsOf = (message: ReceivedMessage): string[] => message.data.words?.map(({ word }) => word) ?? [];
const finalsOf = (messages: readonly ReceivedMessage[]): ReceivedMessage[] =>
  messages.filter(({ event, data }) => event === 'transcript.segment' && data.is_final === true);
const countWords = (messages: readonly ReceivedMessage[]): number => new Set(finalsOf(messages).flatMap(textsOf)).size;

function judge(
  { provider, delayMs = 0 }: LiveCampaign,
  { truth, receiver, server, fedMs }: Surroundings & { readonly truth: SpeechTruth; readonly fedMs: readonly number[] },
): LiveCampaignResult {
  const finals = finalsOf(receiver.messages);
  const received = finals.flatMap(textsOf);
  const speakers = new Map(truth.words.map(({ text, speaker }) => [text, speaker]));
  const ends = new Map(truth.words.map(({ text, endMs }) => [text, endMs]));
  const late = finals.flatMap((message) => {
    const endMs = ends.get(textsOf(message).at(-1) ?? '');
    const sentAtMs = fedMs[Math.ceil(((endMs ?? 0) + providerPauseMs) / blockMs) - 1];
    return endMs === undefined || sentAtMs === undefined ? [] : [message.atMs - sentAtMs - delayMs];
  });
  const numbers = receiver.messages.flatMap(({ data }) => (data.sequence === null ? [] : [data.sequence]));
  const { sessions, audioMs } = server.providers.live.counts(provider);
  return {
    words: truth.words.length,
    lost: truth.words.length - new Set(received).size,
    repeated: received.length - new Set(received).size,
    outOfOrder: numbers.filter((number, index) => number !== index + 1).length,
    wrongSpeaker: finals.flatMap((message) =>
      textsOf(message).filter((text) => speakers.get(text) !== message.data.speaker?.name),
    ).length,
    providerSessions: sessions,
    audioShare: Math.round((audioMs / (fedMs.length * blockMs)) * 1_000) / 1_000,
    p95Ms: Math.round(late.toSorted((one, other) => one - other)[Math.floor(late.length * 0.95)] ?? Infinity),
  };
}
