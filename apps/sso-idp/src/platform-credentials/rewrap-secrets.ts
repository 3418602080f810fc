import type { Database } from '@rapporteur/database';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/rows.ts';
import type { CredentialSecrets } from './credential-secrets.ts';
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
export async function rewrapSecrets({ database, secrets, logger }: Omit<RewrapParts, 'clock'>) {
  const total = { rewrapped: 0, unreadable: 0 };
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await database.query<CredentialRow>(
      `select * from platform_credentials where credential_id > $1 and deleted_at is null
       order by credential_id limit ${pageRows}`,
      [after],
    );
    for (const { team_id: teamId, credential_id: credentialId } of rows) {
      const place = { teamId, credentialId };
      try {
        total.rewrapped += await database.transaction(async (transaction) => {
          const row = await lockCredential(transaction, place);
          const change = row === null ? {} : secrets.rewrap(row);
          if (Object.keys(change).length === 0) return 0;
          await changeCredential(transaction, place, change);
          return 1;
        });
      } catch (error) {
        total.unreadable += 1;
        logger.error(
          { err: error, ...place },
          'A stored credential does not open with any key we have: its secrets have to be given anew.',
        );
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return total;
    after = last.credential_id;
  }
}

/** While the deployment holds former keys: at once and then hourly, until stopped. */
export function keepSecretsRewrapped(parts: RewrapParts): { stop(): Promise<void> } {
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
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
      await clock.sleep(everyMs, stopping.signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
