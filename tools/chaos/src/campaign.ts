import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import { injectFaults, inSequences, waitFor } from '@rapporteur/testbed';
import type { Customer } from './customer.ts';
import { judge } from './judge.ts';
import type { Oracle } from './oracle.ts';
import { injectFault } from './inject-fault.ts';
import type { Fault, Links } from './inject-fault.ts';

export interface CampaignParts {
  readonly stack: RunningStack;
  readonly links: Links;
  readonly oracle: Oracle;
  readonly customer: Customer;
  readonly say: (text: string) => void;
}

export interface CampaignOptions {
  readonly bots: number;
  /** The number of the first bot's meeting: none is used twice. */
  readonly firstNumber: number;
  readonly faults: readonly Fault[];
  /** Maximum number of concurrent faults; each in a target of its own. */
  readonly atOnce: number;
}

export interface CampaignReport {
  readonly bots: number;
  readonly faults: number;
  /** From the end of the last fault until the last request to send a bot had succeeded. */
  readonly acceptedAfterMs: number;
  /** From the later of both until every bot was final. */
  readonly settledAfterMs: number;
  readonly problems: readonly string[];
}

const settleMs = 60_000;

/** Creates bots during the faults; afterwards every accepted one is checked. */
export async function runCampaign(parts: CampaignParts, options: CampaignOptions): Promise<CampaignReport> {
  const { oracle, say } = parts;
  const { faults, bots } = options;
  const sequences = inSequences(faults, options.atOnce);
  const sending = sendBots(parts, options, Math.max(...sequences.map(lengthOf)));
  await Promise.all(
    sequences.map((sequence) =>
      injectFaults(sequence, (fault) => {
        say(`${fault.kind} ${fault.target}, ${fault.lastsMs} ms`);
        return injectFault(parts, fault);
      }),
    ),
  );
  const overMs = Date.now();
  const sent = await sending;
  const accepted = sent.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = sent.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  const isSettled = (): boolean => accepted.every((botId) => oracle.finalEvents.has(botId));
  const acceptedMs = Date.now();
  await waitFor(isSettled, { what: 'final events', timeoutMs: settleMs + longestMeetingMs }).catch(() => undefined);
  const settledAfterMs = Date.now() - Math.max(overMs, acceptedMs);
  const witnessed = await Promise.all(accepted.map((botId) => witness(parts, botId)));
  return {
    bots,
    faults: faults.length,
    acceptedAfterMs: Math.max(0, acceptedMs - overMs),
    settledAfterMs,
    problems: [...refused, ...witnessed.flatMap(judge)],
  };
}

function lengthOf(sequence: readonly Fault[]): number {
  return sequence.reduce((sum, { pauseMs, lastsMs }) => sum + pauseMs + lastsMs, 0);
}

/** The last bots still have their whole meeting left. */
const longestMeetingMs = 30_000;

/** Spread over the faults. */
async function sendBots(
  { customer, oracle }: CampaignParts,
  { bots, firstNumber }: CampaignOptions,
  wholeMs: number,
): Promise<PromiseSettledResult<string>[]> {
  const sent = Array.from({ length: bots }, async (_, index) => {
    await sleep((wholeMs * index) / bots);
    return customer.sendBot(firstNumber + index, oracle.meetingUrl);
  });
  return Promise.allSettled(sent);
}

async function witness({ oracle, customer }: CampaignParts, botId: string) {
  const { status, video } = await customer.detailsOf(botId);
  return {
    botId,
    attendance: oracle.attendances.get(botId),
    finalEvents: oracle.finalEvents.get(botId) ?? [],
    status,
    video: video === null ? null : await (await fetch(video, { signal: AbortSignal.timeout(20_000) })).text(),
  };
}
