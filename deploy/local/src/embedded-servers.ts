import { openBusAuthority } from '@rapporteur/event-bus';
import type { DataFolder } from './data-folder.ts';
import { startNats } from './embedded/nats.ts';
import type { RunningNats } from './embedded/nats.ts';
import { startPostgres } from './embedded/postgres.ts';
import type { RunningPostgres } from './embedded/postgres.ts';

/** PostgreSQL and NATS of one installation, and how the services reach them. */
export interface EmbeddedServers {
  readonly databaseUrl: string;
  readonly busUrl: string;
  readonly serviceCredentials: string;
  /** Signs the bus credentials of runners. */
  readonly accountSeed: string;
  /** For tests that stop one of them. */
  readonly postgres: Pick<RunningPostgres, 'url' | 'dataFolder' | 'kill' | 'start'>;
  readonly nats: Pick<RunningNats, 'kill' | 'start'>;
  stop(): Promise<void>;
}

export interface EmbeddedServersPorts {
  readonly onStarted: (name: string, pid: number) => void;
  readonly say: (text: string) => void;
  readonly calledOff?: AbortSignal | undefined;
}

/** Starts both in parallel. When one fails, or the start is cancelled, neither runs. */
export async function startEmbeddedServers(
  folder: DataFolder,
  ports: Readonly<Record<string, number>>,
  { onStarted, say, calledOff }: EmbeddedServersPorts,
): Promise<EmbeddedServers> {
  const logger = { info: () => undefined, warn: (_fields: object, message: string) => say(message) };
  const authority = await openBusAuthority(folder.busAuthority);
  const [postgres, nats] = await Promise.allSettled([
    startPostgres({
      dataFolder: folder.postgres,
      port: ports['postgres'] ?? 0,
      logger,
      onStarted: (pid) => onStarted('postgres', pid),
      calledOff,
    }),
    startNats({
      storeFolder: folder.nats,
      port: ports['nats'] ?? 0,
      logger,
      authConfig: authority.serverConfig,
      onStarted: (pid) => onStarted('nats', pid),
      calledOff,
    }),
  ]);
  const stop = async (): Promise<void> => {
    for (const server of [nats, postgres]) if (server.status === 'fulfilled') await server.value.stop();
  };
  if (postgres.status === 'rejected' || nats.status === 'rejected') {
    await stop();
    throw (postgres.status === 'rejected' ? postgres.reason : (nats as PromiseRejectedResult).reason) as Error;
  }
  return {
    databaseUrl: postgres.value.url,
    busUrl: nats.value.url,
    serviceCredentials: authority.serviceCredentials,
    accountSeed: authority.accountSeed,
    postgres: postgres.value,
    nats: nats.value,
    stop,
  };
}
