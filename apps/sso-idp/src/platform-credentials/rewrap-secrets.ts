import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { rewrapTable } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { CredentialRow } from '../schema/rows.ts';
import type { CredentialSecrets } from './credential-secrets.ts';

export interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: CredentialSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 3_600_000;

/** Seals again with the current key what a former one still wraps. Rows that no key opens are reported, not changed. */
export async function rewrapSecrets({
  database,
  secrets,
  logger,
}: Omit<RewrapDependencies, 'clock'>): Promise<Rewrapped> {
  return await rewrapTable<CredentialRow>(database, {
    name: 'platform_credentials',
    id: 'credential_id',
    where: 'deleted_at is null',
    rewrap: secrets.rewrap,
    onUnreadable: ({ team_id: teamId, credential_id: credentialId }, error) =>
      logger.error(
        { err: error, teamId, credentialId },
        'A stored credential does not open with any key we have: its secrets have to be given anew.',
      ),
  });
}

/**
 * While the deployment has former keys: at once and then hourly, until stopped. `others` are the tables beside
 * credentials.
 */
export function keepSecretsRewrapped(dependencies: RewrapDependencies, others: () => Promise<Rewrapped[]>): Repetition {
  const { logger } = dependencies;
  const work = async (): Promise<void> => {
    const done = [await rewrapSecrets(dependencies), ...(await others())];
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
