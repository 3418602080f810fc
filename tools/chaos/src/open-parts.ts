import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@rapporteur/local-stack/stack';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import { keepLogsOf } from '@rapporteur/testbed';
import type { CampaignParts } from './campaign.ts';
import { createCustomer } from './customer.ts';
import { createLinks } from './inject-fault.ts';
import type { Links } from './inject-fault.ts';
import { startOracle } from './oracle.ts';

const root = join(import.meta.dirname, '../../..');
const meetingMs = 6_000;

interface ProtocolStackOptions {
  /** Settings of bot-scheduler. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The network to PostgreSQL and NATS; none: direct connections. */
  readonly links?: Pick<Links, 'reach'>;
  readonly simulator?: boolean;
}

/** The stack as `npm start` runs it, with bots that need no browser. */
export function startProtocolStack(
  dataFolder: string,
  say: (text: string) => void,
  { settings = {}, links, simulator = false }: ProtocolStackOptions = {},
): Promise<RunningStack> {
  const runner = join(root, 'apps/bot-runner/src/testing/protocol-runner.ts');
  return startStack(
    {
      dataFolder,
      ports: { api: 0, files: 0, simulator: 0 },
      simulator,
      maxConcurrentBots: 150,
      logLevel: 'info',
      settings: { 'bot-scheduler': { RUNNER_ENTRY: runner, ...settings } },
      ...(links === undefined ? {} : { reach: links.reach }),
    },
    { root, say },
  );
}

export interface OpenParts extends CampaignParts {
  /** Removes the folder with all data and logs, or keeps it. */
  stop(options?: { readonly keepFolder: boolean }): Promise<void>;
}

/** A stack in a folder of its own. */
export async function openParts(say: (text: string) => void, simulator = false): Promise<OpenParts> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rapporteur-chaos-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(dataFolder, 0o755);
  const logs = keepLogsOf(dataFolder);
  const oracle = await startOracle(meetingMs);
  const stops: (() => Promise<void> | void)[] = [() => oracle.stop()];
  const stop: OpenParts['stop'] = async ({ keepFolder } = { keepFolder: false }) => {
    for (const step of stops.splice(0).toReversed()) await step();
    if (keepFolder) say(`Data and logs are kept in ${dataFolder}`);
    else rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const links = createLinks();
    stops.push(() => links.stop());
    const stack = await startProtocolStack(dataFolder, say, { links, simulator });
    stops.push(() => stack.stop());
    const customer = createCustomer(stack.apiUrl, stack.firstKey ?? '');
    await customer.listenAt(oracle.webhookUrl);
    return { stack, links, oracle, customer, say, stop };
  } catch (error) {
    logs.read();
    await stop();
    throw error;
  }
}
