import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { isLiveProvider, openLiveSession, SpeechToTextFailure } from '@rapporteur/speech-to-text';
import { createStreaming } from './streaming.ts';
import type { Streaming, StreamingPorts } from './streaming.ts';
import type { OpenLiveSession } from './transcript/live-transcriber.ts';

/** The streaming that an invocation asks for, under its rules for addresses; null when it asks for none. */
export function openStreaming(
  { botId, configuration, outbound: rules, liveTranscription }: BotInvocation,
  ports: Omit<StreamingPorts, 'botId' | 'outbound' | 'transcription'>,
): Streaming | null {
  if (configuration.streaming_config === null) return null;
  const outbound = createOutboundHttp(rules);
  const transcription =
    liveTranscription === null ? null : { settings: liveTranscription, openSession: openWith(outbound) };
  return createStreaming(configuration.streaming_config, { ...ports, botId, outbound, transcription });
}

/** Sessions with providers under the same rules for addresses as the customer's own. */
export function openWith(connections: Pick<OutboundHttp, 'request' | 'connectSocket'>): OpenLiveSession {
  return async ({ provider, address, ...engine }, onEvent, signal) => {
    if (!isLiveProvider(provider)) throw new SpeechToTextFailure('rejected', `There is no provider ${provider}.`);
    return await openLiveSession(provider, { ...engine, connections, baseUrl: address, onEvent, signal });
  };
}
