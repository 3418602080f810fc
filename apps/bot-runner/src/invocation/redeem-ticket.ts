import { botInvocation, internalRoutes } from '@rapporteur/contracts';
import type { BotInvocation } from '@rapporteur/contracts';
import type { Clock } from '@rapporteur/service-runtime/process';

export interface RedeemOptions {
  readonly schedulerUrl: string;
  readonly ticket: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const attempts = 5;
const answerTimeoutMs = 5_000;

/** The scheduler said no: used, expired or unknown. Asking again is in vain. */
export class TicketRefused extends Error {
  override readonly name = 'TicketRefused';
}

/**
 * Trades the launch ticket for the invocation document. Tries again while the scheduler can't be reached.
 * @throws TicketRefused, or Error when the scheduler stays away or its document does not fit bot-invocation.v1
 */
export async function redeemTicket({ schedulerUrl, ticket, clock, signal }: RedeemOptions): Promise<BotInvocation> {
  let cause: unknown;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      return await redeemOnce(schedulerUrl, ticket, signal);
    } catch (error) {
      if (error instanceof TicketRefused || signal.aborted) throw error;
      cause = error;
      await clock.sleep(attempt * 500, signal);
    }
  }
  throw new Error('The scheduler gave no invocation document. Is it running, and is its address right?', { cause });
}

async function redeemOnce(schedulerUrl: string, ticket: string, signal: AbortSignal): Promise<BotInvocation> {
  const response = await fetch(new URL(internalRoutes.redeemTicket, schedulerUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
  });
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    throw new TicketRefused(
      `The scheduler refused the launch ticket (HTTP ${response.status}): it was used or has expired.`,
    );
  }
  if (!response.ok) throw new Error(`The scheduler answered HTTP ${response.status}.`);
  return botInvocation.parse(await response.json());
}
