import type { BotInvocation } from '@rapporteur/contracts';
import { openOutbound } from '../open-outbound.ts';
import { createStreaming } from './streaming.ts';
import type { Streaming, StreamingPorts } from './streaming.ts';

/** The streaming that an invocation requests, under its rules for addresses; null when it requests none. */
export function openStreaming(
  { botId, configuration, outbound }: BotInvocation,
  ports: Omit<StreamingPorts, 'botId' | 'outbound'>,
): Streaming | null {
  if (configuration.streaming_config === null) return null;
  return createStreaming(configuration.streaming_config, { ...ports, botId, outbound: openOutbound(outbound) });
}
