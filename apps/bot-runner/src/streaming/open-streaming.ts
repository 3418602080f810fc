import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime/process';
import { isLiveProvider, openLiveSession, SpeechToTextFailure, interpolateWords } from '@rapporteur/speech-to-text';
import type { LiveEvent, LiveSession } from '@rapporteur/speech-to-text';
import type { Captions } from '../captions/captions.ts';
import type { CaptionSegment } from '../captions/caption-log.ts';
import { createStreaming } from './streaming.ts';
import type { Streaming, StreamingPorts } from './streaming.ts';
import type { OpenLiveSession } from './transcript/live-transcriber.ts';

/** The streaming that an invocation requests, under its address rules; null when it requests none. */
export function openStreaming(
  { botId, configuration, outbound: rules, liveTranscription }: BotInvocation,
  ports: Omit<StreamingPorts, 'botId' | 'outbound' | 'transcription'> & { readonly captions: Captions | null },
): Streaming | null {
  if (configuration.streaming_config === null) return null;
  const outbound = createOutboundHttp(rules);
  const { captions, clock } = ports;
  const openSession = withCaptions(captions, clock, openWith(outbound));
  const transcription = liveTranscription === null ? null : { settings: liveTranscription, openSession };
  return createStreaming(configuration.streaming_config, { ...ports, botId, outbound, transcription });
}

/** Sessions with providers, under the address rules of the customer's own. */
export function openWith(connections: Pick<OutboundHttp, 'request' | 'connectSocket'>): OpenLiveSession {
  return async ({ provider, address, ...engine }, onEvent, signal) => {
    if (!isLiveProvider(provider) || provider === 'meeting_captions')
      throw new SpeechToTextFailure('rejected', `There is no provider ${provider}.`);
    return await openLiveSession(provider, { ...engine, connections, baseUrl: address, onEvent, signal });
  };
}

function withCaptions(captions: Captions | null, clock: Clock, openVendor: OpenLiveSession): OpenLiveSession {
  return async (engine, onEvent, signal) => {
    if (engine.provider !== 'meeting_captions' || captions === null) return await openVendor(engine, onEvent, signal);
    return openCaptionSession(captions, onEvent, clock);
  };
}

interface OpenSegment {
  readonly segment: CaptionSegment;
  readonly changedAtMs: number;
}

const blockMs = 100;
const tickMs = 250;
/** How long a final version may still be corrected. */
const correctionMs = 1_500;
/** A final version can be missing. */
const silentMs = 5_000;
const mostSettled = 1_000;

/**
 * The meeting's own captions as a live provider: the audio only supplies the stream time. A segment becomes final when
 * its captions have not changed for a while, and does not change after that.
 */
export function openCaptionSession(
  captions: Pick<Captions, 'listen'>,
  onEvent: (event: LiveEvent) => void,
  clock: Clock,
): LiveSession {
  const stopping = new AbortController();
  const ended = Promise.withResolvers<SpeechToTextFailure | null>();
  const open = new Map<string, OpenSegment>();
  const settled = new Set<string>();
  const time = { sentMs: 0, atMs: clock.now() };
  const sessionMs = (epochMs: number): number =>
    Math.min(time.sentMs, Math.max(0, time.sentMs - (time.atMs - epochMs)));
  const emit = (segment: CaptionSegment, isFinal: boolean): void => {
    const { id: key, text, language, participantId, name } = segment;
    const span = { startMs: sessionMs(segment.startMs), endMs: sessionMs(segment.endMs) };
    const labels = { speaker: name, language, channel: 0 };
    const words = interpolateWords(text, span).map((word) => ({ ...word, ...labels }));
    const participant = { id: participantId, name };
    onEvent({
      kind: 'utterance',
      utterance: { key, isFinal, text, ...span, confidence: null, language, words, participant },
    });
  };
  const settle = (id: string, { segment }: OpenSegment): void => {
    open.delete(id);
    settled.add(id);
    const [oldest] = settled;
    if (settled.size > mostSettled && oldest !== undefined) settled.delete(oldest);
    if (segment.text !== '') emit(segment, true);
  };
  const stopListening = captions.listen({
    segment: (segment) => {
      if (settled.has(segment.id)) return;
      open.set(segment.id, { segment, changedAtMs: clock.now() });
      if (segment.text !== '') emit(segment, false);
    },
    unavailable: (reason) => ended.resolve(new SpeechToTextFailure('rejected', sentences[reason])),
  });
  const stop = (): void => {
    stopListening();
    stopping.abort();
    ended.resolve(null);
  };
  const tick = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await clock.sleep(tickMs, stopping.signal).catch(() => undefined);
      for (const [id, one] of open) {
        const waitMs = one.segment.isFinal ? correctionMs : silentMs;
        if (clock.now() - one.changedAtMs >= waitMs) settle(id, one);
      }
    }
  };
  void tick();
  void ended.promise.then(stop);
  return {
    ended: ended.promise,
    send: () => {
      time.sentMs += blockMs;
      time.atMs = clock.now();
      return true;
    },
    finish: async () => {
      for (const [id, one] of open) settle(id, one);
      stop();
    },
    close: async () => stop(),
  };
}

const sentences = {
  not_offered: 'The meeting offers no captions to the bot.',
  control_failed: "The meeting's captions could not be turned on.",
  none_received: "The meeting's captions are on, and none come.",
} as const;
