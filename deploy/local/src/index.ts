export { startNats } from './embedded/nats.ts';
export type { NatsOptions, RunningNats } from './embedded/nats.ts';
export { startPostgres } from './embedded/postgres.ts';
export type { PostgresOptions, RunningPostgres } from './embedded/postgres.ts';
export type { ServerLogger } from './embedded/server-log.ts';
export { endLeftover } from './embedded/supervised-process.ts';
export { freePort } from './ports.ts';
export { identify, isAlive } from '@rapporteur/process-identity';
export type { ProcessIdentity } from '@rapporteur/process-identity';
