import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type express from 'express';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { expiredKey } from '../provider-jobs.ts';
import type { ProviderJobs } from '../provider-jobs.ts';
import type { SpeechTruth } from '../speech-truth.ts';
import { refusedParameter, simulatedProviders, vendorRules } from '../vendor-rules.ts';
import type { SimulatedProvider } from '../vendor-rules.ts';
import { liveRefusals } from './refusals.ts';
import type { LiveRefusal } from './refusals.ts';
import { ScriptRecognizer } from './live-recognizer.ts';
import type { LiveRecognizer } from './live-recognizer.ts';
import { SimulatedLiveSession } from './live-session.ts';
import { queryOf, inSeconds, sure, textFrame, textOf, translated } from './live-vendor.ts';
import type { LiveVendor, LiveVendorFactory, SpokenWords } from './live-vendor.ts';
import { sonioxVendor } from './soniox-vendor.ts';
import { bytesPerLiveMs } from './scripted-audio.ts';
import { speechmaticsVendor } from './speechmatics-vendor.ts';

const elevenlabsVendor: LiveVendorFactory = {
  keyOf: (request) => String(request.headers['xi-api-key'] ?? ''),
  create: (request) => ({
    begin: () => [
      JSON.stringify({
        message_type: 'session_started',
        session_id: crypto.randomUUID(),
        config: { url: request.url },
      }),
    ],
    read: (message) => {
      const { message_type, audio_base_64, commit } = textFrame(message);
      if (message_type !== 'input_audio_chunk' || typeof audio_base_64 !== 'string') {
        return { kind: 'refuse', frames: [JSON.stringify({ message_type: 'input_error' })], code: 1_008 };
      }
      // A commit without audio is what this service ends with.
      if (commit === true && audio_base_64 === '') return { kind: 'finish' };
      return { kind: 'audio', pcm: Buffer.from(audio_base_64, 'base64') };
    },
    partial: ({ words }) => [JSON.stringify({ message_type: 'partial_transcript', text: textOf(words) })],
    final: ({ words }) => [
      JSON.stringify({ message_type: 'committed_transcript', text: textOf(words) }),
      JSON.stringify({
        message_type: 'committed_transcript_with_timestamps',
        text: textOf(words),
        language_code: words[0]?.language ?? 'en',
        words: words.flatMap(({ text, startMs, endMs }, index) => {
          const word = { text, start: inSeconds(startMs), end: inSeconds(endMs), type: 'word', logprob: -0.02 };
          const spacing = { text: ' ', start: word.start, end: word.start, type: 'spacing', logprob: 0 };
          return index === 0 ? [word] : [spacing, word];
        }),
      }),
    ],
    end: () => [
      JSON.stringify({ message_type: 'committed_transcript', text: '' }),
      JSON.stringify({
        message_type: 'committed_transcript_with_timestamps',
        text: '',
        language_code: 'en',
        words: [],
      }),
    ],
    closesAfterEnd: false,
    idleMs: null,
  }),
};

function turn({ words, utterance }: SpokenWords, state: { isEnd: boolean; isFormatted: boolean }): string {
  return JSON.stringify({
    type: 'Turn',
    turn_order: utterance - 1,
    end_of_turn: state.isEnd,
    turn_is_formatted: state.isFormatted,
    end_of_turn_confidence: state.isEnd ? 0.9 : 0.1,
    transcript: textOf(words),
    language_code: words[0]?.language ?? 'en',
    words: words.map(({ text, startMs, endMs, speakerNumber }) => ({
      text: state.isFormatted ? text : text.toLowerCase(),
      start: startMs,
      end: endMs,
      confidence: sure,
      word_is_final: state.isEnd,
      speaker: String.fromCharCode(65 + speakerNumber),
    })),
  });
}

const assemblyaiVendor: LiveVendorFactory = {
  keyOf: (request) => request.headers.authorization ?? '',
  create: (request, now) => ({
    understands: (language) => language === 'en' || !(queryOf(request).get('speech_model') ?? '').endsWith('-english'),
    begin: () => [
      JSON.stringify({ type: 'Begin', id: crypto.randomUUID(), expires_at: Math.ceil(now() / 1_000) + 10_800 }),
    ],
    read: (message, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: message };
      const { type } = textFrame(message);
      if (type === 'Terminate') return { kind: 'finish' };
      return type === 'ForceEndpoint' ? { kind: 'commit' } : null;
    },
    partial: (spoken) => [turn(spoken, { isEnd: false, isFormatted: false })],
    final: (spoken) => [
      turn(spoken, { isEnd: true, isFormatted: false }),
      turn(spoken, { isEnd: true, isFormatted: true }),
    ],
    end: (receivedMs) => [JSON.stringify({ type: 'Termination', audio_duration_seconds: inSeconds(receivedMs) })],
    closesAfterEnd: true,
    idleMs: null,
  }),
};

function results({ words }: SpokenWords, isFinal: boolean): string {
  const startMs = words[0]?.startMs ?? 0;
  return JSON.stringify({
    type: 'Results',
    channel_index: [0, 1],
    start: inSeconds(startMs),
    duration: inSeconds((words.at(-1)?.endMs ?? 0) - startMs),
    is_final: isFinal,
    speech_final: isFinal,
    channel: {
      alternatives: [
        {
          transcript: textOf(words),
          confidence: sure,
          words: words.map(({ text, startMs: start, endMs, speakerNumber, language }) => ({
            word: text.toLowerCase(),
            punctuated_word: text,
            start: inSeconds(start),
            end: inSeconds(endMs),
            confidence: sure,
            speaker: speakerNumber,
            ...(language === undefined ? {} : { language }),
          })),
        },
      ],
    },
  });
}

const deepgramVendor: LiveVendorFactory = {
  keyOf: (request) => (request.headers.authorization ?? '').replace(/^Token /, ''),
  create: (request) => ({
    understands: (language) => ['multi', language].includes(queryOf(request).get('language') ?? 'en'),
    begin: () => [],
    read: (message, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: message };
      const { type } = textFrame(message);
      if (type === 'CloseStream') return { kind: 'finish' };
      return type === 'Finalize' ? { kind: 'commit' } : null;
    },
    partial: (spoken) => [results(spoken, false)],
    final: (spoken) => [results(spoken, true)],
    end: (receivedMs) => [JSON.stringify({ type: 'Metadata', duration: inSeconds(receivedMs), channels: 1 })],
    closesAfterEnd: true,
    idleMs: 10_000,
  }),
};

function segment({ utterance, words }: SpokenWords, final: boolean): string[] {
  const timed = words.map(({ text, startMs, endMs }) => ({
    word: text,
    start: inSeconds(startMs),
    end: inSeconds(endMs),
    confidence: sure,
  }));
  return [
    JSON.stringify({
      type: 'segment',
      id: utterance,
      final,
      language: words[0]?.language ?? 'en',
      text: textOf(words),
      words: timed,
    }),
  ];
}

/** The live protocol of `apps/whisper`. */
const localVendor: LiveVendorFactory = {
  keyOf: (request) => (request.headers.authorization ?? '').replace('Bearer ', '') || null,
  create: () => ({
    begin: () => [JSON.stringify({ type: 'ready' })],
    read: (message, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: message };
      return textFrame(message)['type'] === 'finish' ? { kind: 'finish' } : null;
    },
    partial: (spoken) => segment(spoken, false),
    final: (spoken) => segment(spoken, true),
    end: () => [JSON.stringify({ type: 'done' })],
    closesAfterEnd: true,
    idleMs: null,
  }),
};

const vendors: Readonly<Partial<Record<SimulatedProvider, LiveVendorFactory & { readonly path: string }>>> = {
  deepgram: { ...deepgramVendor, path: '/v1/listen' },
  assemblyai: { ...assemblyaiVendor, path: '/v3/ws' },
  speechmatics: { ...speechmaticsVendor, path: '/v2' },
  soniox: { ...sonioxVendor, path: '/transcribe-websocket' },
  elevenlabs: { ...elevenlabsVendor, path: '/v1/speech-to-text/realtime' },
  local: { ...localVendor, path: '/v1/audio/live' },
};
const gladiaPath = '/live-session';

export interface LiveCounts {
  /** Connections that were accepted. */
  readonly sessions: number;
  /** Milliseconds of audio. */
  readonly audioMs: number;
}

export interface LiveProvidersOptions {
  readonly jobs: ProviderJobs;
  readonly now: () => number;
  /** Recognizes the speech of rooms. */
  readonly createRoomRecognizer?: () => LiveRecognizer;
}

/** The live APIs of all simulated providers. */
export class LiveProviders {
  readonly #options: LiveProvidersOptions;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #scripts: SpeechTruth[] = [];
  /** Gladia's sessions that were requested and not opened yet. */
  readonly #requested = new Map<string, readonly string[]>();
  readonly #counts = new Map<SimulatedProvider, { sessions: number; audioMs: number }>();
  readonly #open = new Map<SimulatedProvider, number>();
  /** Limits in place of the documented ones. */
  readonly limits = new Map<SimulatedProvider, { readonly sessions?: number; readonly sessionMs?: number }>();
  /** How long every provider takes for a result. */
  delayMs = 0;

  constructor(options: LiveProvidersOptions) {
    this.#options = options;
  }

  /** Registers a script, whose audio `scriptedBlock` creates. @returns its number */
  registerScript(truth: SpeechTruth): number {
    return this.#scripts.push(truth) - 1;
  }

  counts(provider: SimulatedProvider): LiveCounts {
    return this.#counts.get(provider) ?? { sessions: 0, audioMs: 0 };
  }

  /** Cuts every connection. */
  cut(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** The request by which a session with Gladia begins. */
  gladiaRoute(): express.Handler {
    return (request, response) => {
      const key = request.get('x-gladia-key') ?? '';
      if (key === '' || key === expiredKey) return void response.status(401).json({ message: 'The key is not valid.' });
      const fault = this.#options.jobs.takeFault('gladia', 'live', ['status']);
      const refusal = this.#atHandshake('gladia');
      const status = fault?.status ?? refusal?.status;
      if (status !== undefined) return void response.status(status).json({ message: 'A fault of the simulator.' });
      const body = JSON.parse((request.body as Buffer).toString('utf8')) as Record<string, unknown>;
      const refused = refusedParameter('gladia', 'live', { ...request.query, ...body });
      if (refused !== null) return void response.status(400).json({ message: refused });
      if (body['encoding'] !== 'wav/pcm' || body['sample_rate'] !== 16_000) {
        return void response.status(422).json({ message: 'The audio format is not supported.' });
      }
      const processing = body['realtime_processing'] as
        | { translation?: boolean; translation_config?: { target_languages?: string[] } }
        | undefined;
      const languages = processing?.translation === true ? processing.translation_config?.target_languages : [];
      const id = randomUUID();
      this.#requested.set(id, languages ?? []);
      const address = `${request.get('host') ?? ''}${request.baseUrl}${gladiaPath}?token=${id}`;
      response
        .status(201)
        .json({ id, created_at: new Date(this.#options.now()).toISOString(), url: `ws://${address}` });
    };
  }

  /** For the `upgrade` event of the server that serves the providers below `prefix`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, prefix = '/speech'): void {
    socket.on('error', () => undefined);
    const found = this.#find(new URL(request.url ?? '/', 'http://127.0.0.1').pathname, prefix);
    if (found === null) return refuse(socket, 404);
    const { provider } = found;
    const factory = vendors[provider];
    const fault = this.#options.jobs.takeFault(provider, 'live', ['status', 'slow', 'no-response']);
    if (fault?.kind === 'status') return refuse(socket, fault.status);
    if (fault?.kind === 'no-response') return;
    const key = factory?.keyOf(request) ?? null;
    if (key === '' || key === expiredKey) return refuse(socket, 401);
    const refusal = provider === 'gladia' ? null : this.#atHandshake(provider);
    if (refusal !== null) return refuse(socket, refusal.status);
    if (provider !== 'gladia' && refusedParameter(provider, 'live', Object.fromEntries(queryOf(request))) !== null)
      return refuse(socket, 400);
    const vendor = factory === undefined ? this.#gladia(request) : factory.create(request, this.#options.now);
    if (vendor === null) return refuse(socket, 403);
    const open = (): void =>
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#begin(provider, vendor, opened));
    setTimeout(open, fault?.delayMs ?? 0);
  }

  #find(pathname: string, prefix: string): { readonly provider: SimulatedProvider } | null {
    const provider = simulatedProviders.find((name) => pathname.startsWith(`${prefix}/${name}/`));
    if (provider === undefined) return null;
    const path = provider === 'gladia' ? gladiaPath : vendors[provider]?.path;
    return path !== undefined && pathname === `${prefix}/${provider}${path}` ? { provider } : null;
  }

  #gladia(request: IncomingMessage): LiveVendor | null {
    const token = queryOf(request).get('token') ?? '';
    const languages = this.#requested.get(token);
    this.#requested.delete(token);
    return languages === undefined ? null : gladiaVendor(languages, token, this.#options.now);
  }

  /** The refusal of the next session, where the vendor gives it at the handshake. */
  #atHandshake(provider: SimulatedProvider): { readonly status: number } | null {
    const refusals = liveRefusals[provider];
    const fault = this.#options.jobs.takeFault(
      provider,
      'live',
      ['refuse'],
      ({ why }) => 'status' in (refusals[why] ?? {}),
    );
    const refusal = fault === null ? this.#tooMany(provider) : refusals[fault.why];
    return refusal !== undefined && 'status' in refusal ? refusal : null;
  }

  #tooMany(provider: SimulatedProvider): LiveRefusal | undefined {
    const most = this.limits.get(provider)?.sessions ?? vendorRules[provider].live?.sessions ?? Infinity;
    return (this.#open.get(provider) ?? 0) > most - 1 ? liveRefusals[provider].sessions : undefined;
  }

  #begin(provider: SimulatedProvider, vendor: LiveVendor, socket: WebSocket): void {
    const counts = this.#counts.get(provider) ?? { sessions: 0, audioMs: 0 };
    this.#counts.set(provider, counts);
    counts.sessions += 1;
    const tooMany = this.#tooMany(provider);
    this.#open.set(provider, (this.#open.get(provider) ?? 0) + 1);
    socket.once('close', () => this.#open.set(provider, (this.#open.get(provider) ?? 1) - 1));
    let isFirst = true;
    const minutes = vendorRules[provider].live?.sessionMinutes ?? 24 * 60;
    const { createRoomRecognizer, jobs } = this.#options;
    const scripted = new ScriptRecognizer((script) => this.#scripts[script] ?? null);
    const inRooms = createRoomRecognizer?.() ?? null;
    new SimulatedLiveSession(socket, {
      vendor,
      recognizer: inRooms === null ? scripted : bothOf(scripted, inRooms),
      delayMs: this.delayMs,
      tooOld: liveRefusals[provider].age,
      longestMs: this.limits.get(provider)?.sessionMs ?? minutes * 60_000,
      refusal: () => {
        const refusal = isFirst ? tooMany : undefined;
        isFirst = false;
        const fault = refusal === undefined ? jobs.takeFault(provider, 'live', ['refuse']) : null;
        return refusal ?? (fault === null ? null : (liveRefusals[provider][fault.why] ?? null));
      },
      onAudio: (pcm) => {
        counts.audioMs += pcm.byteLength / bytesPerLiveMs;
        const fault = jobs.takeFault(provider, 'live', ['cut', 'body']);
        if (fault?.kind === 'cut') socket.terminate();
        if (fault?.kind === 'body') socket.send(fault.body, () => undefined);
        return fault?.kind === 'cut';
      },
    });
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}

function bothOf(one: LiveRecognizer, other: LiveRecognizer): LiveRecognizer {
  return {
    take: (pcm) => [...one.take(pcm), ...other.take(pcm)],
    get isInWord() {
      return one.isInWord || other.isInWord;
    },
  };
}

/** @param languages into which every final utterance is translated */
function gladiaVendor(languages: readonly string[], sessionId: string, now: () => number): LiveVendor {
  const message = (type: string, data: object): string =>
    JSON.stringify({ session_id: sessionId, created_at: new Date(now()).toISOString(), type, data });
  const utteranceOf = ({ words }: SpokenWords) => ({
    text: textOf(words),
    language: words[0]?.language ?? 'en',
    start: inSeconds(words[0]?.startMs ?? 0),
    end: inSeconds(words.at(-1)?.endMs ?? 0),
    confidence: sure,
    channel: 0,
    words: words.map(({ text, startMs, endMs }) => ({
      word: ` ${text}`,
      start: inSeconds(startMs),
      end: inSeconds(endMs),
      confidence: sure,
    })),
  });
  const transcript = (spoken: SpokenWords, isFinal: boolean): string =>
    message('transcript', { id: `00-${spoken.utterance}`, is_final: isFinal, utterance: utteranceOf(spoken) });
  return {
    begin: () => [message('start_session', {})],
    read: (received, isBinary) => {
      if (isBinary) return { kind: 'audio', pcm: received };
      const { type, data } = textFrame(received);
      if (type === 'stop_recording') return { kind: 'finish' };
      const chunk = (data as { chunk?: unknown } | undefined)?.chunk;
      return type === 'audio_chunk' && typeof chunk === 'string'
        ? { kind: 'audio', pcm: Buffer.from(chunk, 'base64') }
        : null;
    },
    partial: (spoken) => [transcript(spoken, false)],
    final: (spoken) => [
      transcript(spoken, true),
      ...languages.map((language) =>
        message('translation', {
          utterance_id: `00-${spoken.utterance}`,
          utterance: utteranceOf(spoken),
          original_language: 'en',
          target_language: language,
          translated_utterance: { ...utteranceOf(spoken), language, text: translated(language, spoken.words) },
        }),
      ),
    ],
    end: () => [message('end_recording', {}), message('end_session', {})],
    closesAfterEnd: true,
    idleMs: null,
  };
}
