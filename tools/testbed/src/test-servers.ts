import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startNats, startPostgres } from '@rapporteur/local-stack';
import { removeAbandonedRuns, RunFolder, runFolderVariable } from './run-folder.ts';

/** Tests use NATS in accounts of their own: the same subjects, fully separated. */
export const accountLimit = 400;
const pollMs = 25;

export interface TestServers {
  /** Stops both servers and removes the run's folder. Safe twice. */
  stop(): Promise<void>;
}

/**
 * For globalSetup: cleans up after runs that were killed, starts nats-server (milliseconds) and, as soon as the first
 * test requests a database, PostgreSQL. Both die with this process, however it ends.
 */
export async function startTestServers(): Promise<TestServers> {
  await removeAbandonedRuns();
  const folder = RunFolder.make();
  process.env[runFolderVariable] = folder.path;
  const postgres = startPostgresOnRequest(folder);
  const password = randomBytes(12).toString('hex');
  const nats = await startNats({
    storeFolder: join(folder.path, 'nats'),
    authConfig: renderAccounts(password),
    restart: false,
    diesWithUs: { folder: folder.path },
  }).catch(async (error: Error) => {
    await postgres.stop();
    folder.remove();
    throw error;
  });
  folder.announceNats({ port: nats.port, password });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all([nats.stop(), postgres.stop()]);
    folder.remove();
  };
  return { stop: () => (stopping ??= stop()) };
}

/** The test workers are other processes: requests and responses are files in the run's folder. */
function startPostgresOnRequest(folder: RunFolder): { stop(): Promise<void> } {
  let started: Promise<void> | undefined;
  let stopServer = async (): Promise<void> => undefined;
  const start = async (): Promise<void> => {
    try {
      const server = await startPostgres({
        dataFolder: join(folder.path, 'postgres'),
        durability: 'off',
        restart: false,
        diesWithUs: { folder: folder.path },
      });
      stopServer = () => server.stop();
      folder.announcePostgres({ url: server.url });
    } catch (error) {
      folder.announcePostgres({ failure: (error as Error).message });
    }
  };
  const poll = setInterval(() => {
    if (!folder.postgresIsWanted) return;
    clearInterval(poll);
    started = start();
  }, pollMs);
  poll.unref();
  return {
    stop: async () => {
      clearInterval(poll);
      await started;
      await stopServer();
    },
  };
}

function renderAccounts(password: string): string {
  const accounts = Array.from(
    { length: accountLimit },
    (_, number) => `  T${number} { jetstream: enabled, users: [ { user: "t${number}", password: "${password}" } ] }`,
  );
  return `accounts {\n${accounts.join('\n')}\n}\n`;
}
