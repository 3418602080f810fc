// Two whole stacks one after the other, and a lease that has to expire: half a minute at least.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import { waitFor } from '@rapporteur/testbed';
import { backUp, copyKeysAndObjects } from './back-up.ts';
import { createCustomer } from './customer.ts';
import { startDebianPostgres } from './debian-postgres.ts';
import type { DebianPostgres } from './debian-postgres.ts';
import type { Links } from './inject-fault.ts';
import { startProtocolStack } from './open-parts.ts';
import { startOracle } from './oracle.ts';
import type { Oracle } from './oracle.ts';

const folders: string[] = [];
const stacks: RunningStack[] = [];
const servers: DebianPostgres[] = [];
let oracle: Oracle;

beforeAll(async () => {
  oracle = await startOracle(8_000);
});
afterAll(async () => {
  for (const stack of stacks) await stack.stop();
  for (const server of servers) await server.stop();
  await oracle.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 120_000);

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-restore-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

async function startIn(folder: string, databaseUrl?: string): Promise<RunningStack> {
  const links: Pick<Links, 'reach'> = {
    reach: async (_client, server, address) => (server === 'postgres' ? (databaseUrl ?? address) : address),
  };
  // The leases show that no run of the time of the backup continues.
  const settings = { LEASE_LOST_AFTER_MS: '10000' };
  const stack = await startProtocolStack(folder, () => undefined, { settings, links });
  stacks.push(stack);
  return stack;
}

/** A running service with its backup, and the service restored from the backup. */
interface BackedUpService {
  readonly first: RunningStack;
  backUp(): Promise<void>;
  restore(): Promise<RunningStack>;
}

async function withBaseBackup(): Promise<BackedUpService> {
  const [first, backup] = [await startIn(makeFolder()), makeFolder()];
  return { first, backUp: () => backUp(first, backup), restore: () => startIn(backup) };
}

/** The commands of docs/runbooks/backup.md, with an empty database in place of an empty server. */
async function withDump(): Promise<BackedUpService> {
  const postgres = await startDebianPostgres();
  servers.push(postgres);
  const backup = makeFolder();
  const file = join(backup, 'rapporteur.dump');
  await postgres.runClient('createdb', ['before']);
  const first = await startIn(makeFolder(), postgres.urlOf('before'));
  return {
    first,
    backUp: async () => {
      await postgres.runClient('pg_dump', ['--format=custom', `--file=${file}`, 'before']);
      await copyKeysAndObjects(first.dataFolder.path, backup);
    },
    restore: async () => {
      await postgres.runClient('createdb', ['after']);
      await postgres.runClient('pg_restore', ['--no-owner', '--exit-on-error', '--dbname=after', file]);
      return startIn(backup, postgres.urlOf('after'));
    },
  };
}

const isFinal = (botId: string) => oracle.finalEvents.has(botId);

test.each([
  ['a base backup', withBaseBackup],
  ['pg_dump and pg_restore', withDump],
])(
  'a service that is restored by %s has lost nothing but what came after the backup',
  async (_how, open) => {
    const service = await open();
    const { first } = service;
    const key = first.firstKey ?? '';
    const customer = createCustomer(first.apiUrl, key);
    await customer.listenAt(oracle.webhookUrl);
    const before = await Promise.all([1, 2, 3].map((number) => customer.sendBot(number, oracle.meetingUrl)));
    await waitFor(() => before.every(isFinal), { what: 'the bots before the backup' });
    const during = await customer.sendBot(4, oracle.meetingUrl);
    await waitFor(async () => (await customer.detailsOf(during)).status === 'in_call_recording', {
      what: 'the bot during the backup to record',
    });
    await service.backUp();
    const after = await customer.sendBot(5, oracle.meetingUrl);
    await waitFor(() => [during, after].every(isFinal), { what: 'all bots' });
    await first.stop();

    const restored = createCustomer((await service.restore()).apiUrl, key);
    for (const botId of before) {
      const { status, video } = await restored.detailsOf(botId);
      expect(status).toBe('completed');
      expect(await (await fetch(video ?? '')).text()).toBe(botId.repeat(1_000));
    }
    expect(await restored.knows(after)).toBe(false);
    await waitFor(async () => (await restored.detailsOf(during)).status === 'failed', {
      what: 'the bot that recorded during the backup to end',
    });
    // The endpoint and its signing secret are from before the backup.
    const next = await restored.sendBot(6, oracle.meetingUrl);
    await waitFor(() => isFinal(next), { what: 'a new bot' });
    expect(oracle.finalEvents.get(next)).toMatchObject([{ event: 'bot.completed' }]);
  },
  240_000,
);
