import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { oneByOne, rewrapRows } from '@rapporteur/secret-box';
import type { Rewrapped } from '@rapporteur/secret-box';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { EndpointSecrets, SealedSecrets } from './endpoint-secrets.ts';

export interface RewrapDependencies {
  readonly database: Database;
  readonly secrets: Pick<EndpointSecrets, 'rewrap'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True while the deployment still holds former keys. */
  readonly hasFormerKeys: boolean;
}

const pageRows = 200;
/** Another process may still seal with a former key for as long as a deployment rolls. */
const everyMs = 3_600_000;

/**
 * Forgets secrets whose overlap is over and seals with the current key what a former one still wraps. Rows that change
 * meanwhile are left for the next run.
 */
export async function rewrapSecrets(dependencies: Omit<RewrapDependencies, 'hasFormerKeys'>): Promise<Rewrapped> {
  const { database, secrets, clock, logger } = dependencies;
  await database.query(
    `update webhook_endpoints set previous_secret = null, previous_secret_expires_at = null
      where previous_secret_expires_at <= $1`,
    [new Date(clock.now())],
  );
  return await rewrapRows<SealedSecrets, Change>({
    pageAfter: (row) =>
      database.query(
        `select endpoint_id as "endpointId", team_id as "teamId", secret, previous_secret as "previousSecret",
           previous_secret_expires_at as "previousSecretExpiresAt"
          from webhook_endpoints where $1::uuid is null or endpoint_id > $1 order by endpoint_id limit ${pageRows}`,
        [row?.endpointId ?? null],
      ),
    rewrap: (row) => {
      const sealed = secrets.rewrap(row);
      return sealed === null ? null : { row, sealed };
    },
    save: oneByOne((change) => saveOne(database, change)),
    onUnreadable: ({ teamId, endpointId }, error) =>
      logger.error(
        { err: error, teamId, endpointId },
        'The secret of a webhook endpoint does not open with any key we have: rotate it to make a new one.',
      ),
  });
}

interface Change {
  readonly row: SealedSecrets;
  readonly sealed: Pick<SealedSecrets, 'secret' | 'previousSecret'>;
}

async function saveOne(database: Database, { row, sealed }: Change): Promise<number> {
  const updated = await database.query(
    `update webhook_endpoints set secret = $3, previous_secret = $4
      where endpoint_id = $1 and secret = $2 and previous_secret is not distinct from $5 returning endpoint_id`,
    [row.endpointId, row.secret, sealed.secret, sealed.previousSecret, row.previousSecret],
  );
  return updated.length;
}

/** Runs at once and then hourly until stopped. */
export function keepSecretsRewrapped(dependencies: RewrapDependencies): Repetition {
  const { logger, hasFormerKeys } = dependencies;
  const work = async (): Promise<void> => {
    const { rewrapped, unreadable } = await rewrapSecrets(dependencies);
    if (rewrapped > 0) logger.info({ rewrapped }, 'Endpoint secrets are now sealed with the current secret key.');
    if (hasFormerKeys && rewrapped === 0 && unreadable === 0)
      logger.info({}, 'No endpoint secret needs a former secret key: it may be removed once every process logs this.');
  };
  return startPeriodicTask({ what: 'Re-encryption of endpoint secrets', everyMs, work }, dependencies);
}
