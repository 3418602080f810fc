import { retry } from '@rapporteur/async';
import type { BotInvocation } from '@rapporteur/contracts';
import { busTlsOf, connectBus, runnerInboxPrefix } from '@rapporteur/event-bus';
import type { Bus, BusOptions, BusTlsSettings } from '@rapporteur/event-bus';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';

export interface BusConnection {
  readonly config: BusTlsSettings;
  readonly invocation: Pick<BotInvocation, 'bus' | 'botId'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted when this process is about to stop. */
  readonly signal: AbortSignal;
  readonly connect?: (options: BusOptions) => Promise<Bus>;
}

/** No lease expires while the scheduler cannot record renewals: a late join is better than none. */
const pauses = { firstMs: 1_000, longestMs: 1_000, withinMs: 5 * 60_000 } as const;

/**
 * Connects this bot to the bus and retries during an outage. Rejects as `connectBus` after five minutes, or when
 * stopped.
 */
export async function connectToBus(options: BusConnection): Promise<Bus> {
  const { config, invocation, clock, logger, signal, connect = connectBus } = options;
  const { url, credentials } = invocation.bus;
  const connectOnce = (): Promise<Bus> =>
    connect({
      url,
      tls: busTlsOf(config),
      name: `bot-runner ${invocation.botId}`,
      logger,
      inboxPrefix: runnerInboxPrefix(invocation.botId),
      ...(credentials === null ? {} : { credentials }),
    });
  const onRetry = (error: unknown): void =>
    logger.warn({ err: error }, 'The message bus cannot be reached; connecting again.');
  return await retry(connectOnce, { clock, signal, ...pauses, onRetry });
}
