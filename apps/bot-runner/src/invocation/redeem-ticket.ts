import { randomUUID } from 'node:crypto';
import { retry } from '@rapporteur/async';
import { botInvocation, internalRoutes } from '@rapporteur/contracts';
import type { BotInvocation } from '@rapporteur/contracts';
import type { Clock } from '@rapporteur/service-runtime/process';

export interface RedeemOptions {
  readonly schedulerUrl: string;
  readonly ticket: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Addresses that replace those of the document. */
  readonly busUrl?: string | undefined;
  readonly storageUrl?: string | undefined;
  /** The timeout of the first request; it is doubled after each timeout, up to four times as long. */
  readonly responseTimeoutMs?: number;
}

/** In total the lifetime of a ticket with a margin: then the scheduler starts another run. */
const pauses = { firstMs: 500, longestMs: 3_000, withinMs: 75_000 } as const;
const usualResponseTimeoutMs = 5_000;

/** The scheduler refused the ticket: used, expired or unknown. Not retryable. */
export class TicketRefused extends Error {
  override readonly name = 'TicketRefused';
}

/**
 * Redeems the launch ticket for the invocation document. Retries while the scheduler is unreachable: a lost response is
 * repeated for the same process. The timeout grows with each attempt, for a scheduler under load.
 * @throws TicketRefused, or Error when the scheduler stays unreachable or its document does not fit bot-invocation.v1
 */
export async function redeemTicket(options: RedeemOptions): Promise<BotInvocation> {
  const { schedulerUrl, ticket, clock, signal, responseTimeoutMs = usualResponseTimeoutMs } = options;
  const body = JSON.stringify({ ticket, runner: randomUUID() });
  let timeoutMs = responseTimeoutMs;
  const redeem = (): Promise<BotInvocation> =>
    redeemOnce(schedulerUrl, body, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  const requestedMsOf = (cause: unknown): number | null => {
    if ((cause as Error).name === 'TimeoutError') timeoutMs = Math.min(2 * timeoutMs, 4 * responseTimeoutMs);
    return cause instanceof TicketRefused ? null : 0;
  };
  const invocation = await retry(redeem, { clock, signal, ...pauses, requestedMsOf }).catch((cause: unknown) => {
    if (cause instanceof TicketRefused || signal.aborted) throw cause;
    throw new Error('The scheduler gave no invocation document. Is it running, and is its address right?', { cause });
  });
  return withAddresses(invocation, options);
}

function withAddresses(
  { bus, storage, ...invocation }: BotInvocation,
  { busUrl = bus.url, storageUrl = storage.url }: Pick<RedeemOptions, 'busUrl' | 'storageUrl'>,
): BotInvocation {
  return { ...invocation, bus: { ...bus, url: busUrl }, storage: { ...storage, url: storageUrl } };
}

async function redeemOnce(schedulerUrl: string, body: string, signal: AbortSignal): Promise<BotInvocation> {
  const response = await fetch(new URL(internalRoutes.redeemTicket, schedulerUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal,
  });
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    throw new TicketRefused(
      `The scheduler refused the launch ticket (HTTP ${response.status}): it was used or has expired.`,
    );
  }
  if (!response.ok) throw new Error(`The scheduler responded with HTTP ${response.status}.`);
  return botInvocation.parse(await response.json());
}
