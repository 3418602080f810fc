import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isAlive, startNats, startPostgres } from '@rapporteur/local-stack';
import type { ProcessIdentity, RunningNats, RunningPostgres } from '@rapporteur/local-stack';

/** Names under which test files find the servers of their run. */
export const environmentNames = { databaseUrl: 'TESTBED_DATABASE_URL', natsUrl: 'TESTBED_NATS_URL' } as const;

const folderPrefix = 'rapporteur-testbed-';

export interface TestServers {
  readonly postgres: RunningPostgres;
  readonly nats: RunningNats;
  stop(): Promise<void>;
}

interface Owner {
  readonly owner: ProcessIdentity;
  readonly servers: readonly ProcessIdentity[];
}

/** Starts both servers in a temporary folder that goes with them. Cleans up after runs that were killed. */
export async function startTestServers(): Promise<TestServers> {
  removeStaleFolders();
  const folder = mkdtempSync(join(tmpdir(), folderPrefix));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  try {
    const [postgres, nats] = await Promise.all([
      startPostgres({ dataFolder: join(folder, 'postgres'), port: 0, durability: 'off' }),
      startNats({ storeFolder: join(folder, 'nats'), port: 0 }),
    ]);
    const identities = [process.pid, postgres.pid, nats.pid].map((pid) => identify(pid)).filter((found) => found !== null);
    const [owner, ...servers] = identities;
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ owner, servers }));
    process.env[environmentNames.databaseUrl] = postgres.url;
    process.env[environmentNames.natsUrl] = nats.url;
    return {
      postgres,
      nats,
      stop: async () => {
        await Promise.all([postgres.stop(), nats.stop()]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    const folder = join(tmpdir(), name);
    const record = readOwner(folder);
    if (record === null || isAlive(record.owner)) continue;
    for (const server of record.servers) if (isAlive(server)) process.kill(server.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOwner(folder: string): Owner | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as Owner;
  } catch {
    // Being made right now, or not ours to judge.
    return null;
  }
}
