import { randomUUID } from 'node:crypto';
import { admitBot } from '../admission/admit-bot.ts';
import type { AdmissionDependencies } from '../admission/admit-bot.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { createBody } from './create-body.ts';
import { testBox } from './test-scheduler.ts';

/** Admits a bot without a request; no link is simulated and every address is allowed. Returns its id. */
export async function admitDirectly(
  dependencies: Pick<AdmissionDependencies, 'database' | 'events' | 'now'>,
  teamId: string,
  over: Record<string, unknown> = {},
): Promise<string> {
  const { botId } = await admitBot(
    {
      ...dependencies,
      box: testBox,
      notifyRuns: () => undefined,
      simulatorLinkHosts: [],
      checkAddress: () => undefined,
      checkWebhook: () => undefined,
    },
    { teamId, botId: randomUUID(), apiKeyId: null },
    createBotBody.parse(createBody(over)),
  );
  return botId;
}
