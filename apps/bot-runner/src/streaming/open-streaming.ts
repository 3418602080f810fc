import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime/process';
import { isLiveProvider, openLiveSession, SpeechToTextFailure } from '@rapporteur/speech-to-text';
import { openCaptionSession } from '../captions/caption-session.ts';
import type { Captions } from '../captions/captions.ts';
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
