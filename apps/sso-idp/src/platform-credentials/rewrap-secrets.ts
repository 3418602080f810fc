import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { oneByOne, rewrapRows } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/rows.ts';
import type { CredentialSecrets, SealedColumn } from './credential-secrets.ts';

export interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: CredentialSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pageRows = 200;
const everyMs = 3_600_000;

/** Seals with the current key what a former one still wraps. Rows that do not open with any key are reported, not changed. */
export async function rewrapSecrets({
  database,
  secrets,
  logger,
}: Omit<RewrapDependencies, 'clock'>): Promise<Rewrapped> {
  return await rewrapRows<CredentialRow, Change>({
    pageAfter: (row) =>
      database.query(
        `select * from platform_credentials where ($1::uuid is null or credential_id > $1) and deleted_at is null
         order by credential_id limit ${pageRows}`,
        [row?.credential_id ?? null],
      ),
    rewrap: (row) => {
      const sealed = secrets.rewrap(row);
      return Object.keys(sealed).length === 0 ? null : { row, sealed };
    },
    save: oneByOne((change) => saveOne(database, change)),
    onUnreadable: ({ team_id: teamId, credential_id: credentialId }, error) =>
      logger.error(
        { err: error, teamId, credentialId },
        'A stored credential does not open with any key we have: its secrets have to be given anew.',
      ),
  });
}

interface Change {
  readonly row: CredentialRow;
  readonly sealed: Partial<Record<SealedColumn, Buffer>>;
}

/** A credential of which such a column was written since it was read, as by a token that was renewed, is left to the next round. */
async function saveOne(database: Database, { row, sealed }: Change): Promise<number> {
  const columns = Object.keys(sealed) as SealedColumn[];
  const updated = await database.query(
    `update platform_credentials set ${columns.map((column, at) => `${column} = $${at * 2 + 2}`).join(', ')}
     where credential_id = $1 and deleted_at is null
       and ${columns.map((column, at) => `${column} = $${at * 2 + 3}`).join(' and ')} returning 1`,
    [row.credential_id, ...columns.flatMap((column) => [sealed[column], row[column]])],
  );
  return updated.length;
}

/** While the deployment holds former keys: at once and then hourly, until stopped. `others` are the tables beside credentials. */
export function keepSecretsRewrapped(dependencies: RewrapDependencies, others: () => Promise<Rewrapped>): Repetition {
  const { logger } = dependencies;
  const work = async (): Promise<void> => {
    const done = [await rewrapSecrets(dependencies), await others()];
    const rewrapped = done.reduce((sum, one) => sum + one.rewrapped, 0);
    const unreadable = done.reduce((sum, one) => sum + one.unreadable, 0);
    if (rewrapped > 0) logger.info({ rewrapped }, 'Stored credentials are now sealed with the current secret key.');
    if (rewrapped === 0 && unreadable === 0)
      logger.info(
        {},
        'No stored credential needs a former secret key: it may be removed once every process logs this.',
      );
  };
  return startPeriodicTask({ what: 'Re-encryption of stored credentials', everyMs, work }, dependencies);
}
