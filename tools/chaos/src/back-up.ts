import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import pg from 'pg';

const run = promisify(execFile);
/** With owners and modes, as PostgreSQL requires. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

/**
 * The backup of docs/runbooks/backup.md, while the service runs: a base backup of PostgreSQL with its WAL, the keys,
 * and the objects. NATS is left out.
 */
export async function backUp({ dataFolder, servers }: RunningStack, target: string): Promise<void> {
  const { postgres } = servers;
  const place = join(target, 'postgres');
  mkdirSync(place, { recursive: true });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('test', true)`);
    // Files may disappear during a copy of a running server; recovery works without them.
    await copy(join(postgres.dataFolder, 'cluster'), place).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const cluster = join(place, 'cluster');
    rmSync(join(cluster, 'pg_wal'), { recursive: true });
    await copy(join(postgres.dataFolder, 'cluster', 'pg_wal'), cluster);
    writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
    await run('chown', ['--reference', join(cluster, 'PG_VERSION'), join(cluster, 'backup_label'), place]);
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster, file), { force: true });
  } finally {
    await client.end();
  }
  await copy(join(postgres.dataFolder, 'password'), place);
  await copyKeysAndObjects(dataFolder.path, target);
}

/** The backup besides PostgreSQL. */
export async function copyKeysAndObjects(dataFolder: string, target: string): Promise<void> {
  for (const part of ['objects', 'bus-authority', 'secrets.json']) await copy(join(dataFolder, part), target);
}
