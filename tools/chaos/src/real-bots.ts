import { waitFor } from '@rapporteur/testbed';
import type { CampaignParts } from './campaign.ts';

/** A bot with a browser that records a simulated meeting. */
export interface RealBot {
  readonly botId: string;
  /** Epoch ms at which it was first observed to record. */
  readonly recordsSinceMs: number;
}

const joinMs = 120_000;
const settleMs = 180_000;

/** Sends bots, each into a simulated meeting of its own. Resolves when all record. */
export function sendRealBots(parts: CampaignParts, count: number): Promise<RealBot[]> {
  return Promise.all(Array.from({ length: count }, () => sendRealBot(parts)));
}

async function sendRealBot({ stack, customer }: CampaignParts): Promise<RealBot> {
  const response = await fetch(`${stack.simulatorUrl}/rooms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ speakers: 2 }),
    signal: AbortSignal.timeout(60_000),
  });
  const { url } = (await response.json()) as { url: string };
  const botId = await customer.sendRealBot(url);
  const records = async () => (await customer.detailsOf(botId)).status === 'in_call_recording';
  await waitFor(records, { what: 'a bot with a browser to record', timeoutMs: joinMs });
  return { botId, recordsSinceMs: Date.now() };
}

/** Makes the bots leave. @returns their problems, as sentences */
export async function judgeRealBots(parts: CampaignParts, bots: readonly RealBot[]): Promise<string[]> {
  return (await Promise.all(bots.map((bot) => judgeRealBot(parts, bot)))).flat();
}

async function judgeRealBot({ customer, oracle, say }: CampaignParts, bot: RealBot): Promise<string[]> {
  const { botId, recordsSinceMs } = bot;
  const leastMs = Date.now() - recordsSinceMs;
  const ended = () => oracle.finalEvents.has(botId);
  if (!ended()) await customer.leave(botId);
  await waitFor(ended, { what: 'a final event', timeoutMs: settleMs }).catch(() => undefined);
  const events = oracle.finalEvents.get(botId) ?? [];
  const { status, integrity } = await customer.detailsOf(botId);
  const report = integrity === null ? null : ((await (await fetch(integrity)).json()) as Integrity);
  say(`${botId}, with a browser, is ${status}: ${report?.durationMs ?? 0} ms recorded, ${leastMs} ms expected.`);
  const problems = [
    status === 'completed' ? null : `ended as ${status}`,
    events.length === 1 ? null : `has ${events.length} final events`,
    ...events.map(({ event, reason }) => (event === 'bot.failed' ? `was announced as failed (${reason})` : null)),
    report === null ? 'has no integrity report' : null,
    report !== null && report.gaps.length > 0 ? `has gaps: ${JSON.stringify(report.gaps)}` : null,
    report !== null && report.durationMs < leastMs ? `recorded ${report.durationMs} of ${leastMs} ms` : null,
    report?.endedCleanly === false ? 'did not end cleanly' : null,
  ];
  return problems.filter((problem) => problem !== null).map((problem) => `${botId} ${problem}`);
}

interface Integrity {
  readonly durationMs: number;
  readonly gaps: readonly object[];
  readonly endedCleanly: boolean;
}
