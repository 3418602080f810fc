import type { Database } from '@rapporteur/database';
import { rewrapRows } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/rows.ts';
import type { CredentialPlace, CredentialSecrets } from './credential-secrets.ts';
import { changeCredential, lockCredential } from './credentials.store.ts';

export interface RewrapParts {
  readonly database: Database;
  readonly secrets: CredentialSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pageRows = 200;
const everyMs = 3_600_000;

/** Seals with the current key what a former one still wraps. Rows that do not open with any key are told, not touched. */
export async function rewrapSecrets({ database, secrets, logger }: Omit<RewrapParts, 'clock'>): Promise<Rewrapped> {
  return await rewrapRows<CredentialPlace>({
    pageAfter: (id) =>
      database.query(
        `select team_id as "teamId", credential_id as "credentialId" from platform_credentials
         where credential_id > $1 and deleted_at is null order by credential_id limit ${pageRows}`,
        [id],
      ),
    idOf: ({ credentialId }) => credentialId,
    rewrap: (place) =>
      database.transaction(async (transaction) => {
        const row: CredentialRow | null = await lockCredential(transaction, place);
        const change = row === null ? {} : secrets.rewrap(row);
        if (Object.keys(change).length === 0) return 0;
        await changeCredential(transaction, place, change);
        return 1;
      }),
    onUnreadable: (place, error) =>
      logger.error(
        { err: error, ...place },
        'A stored credential does not open with any key we have: its secrets have to be given anew.',
      ),
  });
}

/** While the deployment holds former keys: at once and then hourly, until stopped. */
export function keepSecretsRewrapped(parts: RewrapParts): Repetition {
  const { clock, logger } = parts;
  return repeatUntilStopped(clock, everyMs, async () => {
    try {
      const { rewrapped, unreadable } = await rewrapSecrets(parts);
      if (rewrapped > 0) logger.info({ rewrapped }, 'Stored credentials are now sealed with the current secret key.');
      if (rewrapped === 0 && unreadable === 0)
        logger.info(
          {},
          'No stored credential needs a former secret key: it may be taken away once every process says so.',
        );
    } catch (error) {
      logger.warn({ err: error }, 'Stored credentials could not be sealed anew; trying again in an hour.');
    }
  });
}
