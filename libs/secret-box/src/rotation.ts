import { rewrapTable } from './rewrap-table.ts';
import type { Database, SealedTable } from './rewrap-table.ts';
import type { Rewrapped } from './rewrap-rows.ts';
import { createSecretBox } from './secret-box.ts';
import type { SecretBox } from './secret-box.ts';

interface Secret {
  reveal(): string;
}

/** Opens a box with the keys of a service's configuration; former keys are separated by commas. */
export function openSecretBox({ secretKey, formerSecretKeys }: KeysOfConfig): SecretBox {
  const former = (formerSecretKeys?.reveal().split(',') ?? []).map((key) => key.trim()).filter(Boolean);
  return createSecretBox({ current: secretKey.reveal(), former });
}

interface KeysOfConfig {
  readonly secretKey: Secret;
  readonly formerSecretKeys?: Secret | undefined;
}

type Log = (fields: object, message: string) => void;

export interface RotationDependencies {
  readonly database: Database;
  readonly logger: { readonly info: Log; readonly error: Log };
}

/** Seals with the current key what a former one still wraps in one table. */
export type Rotation = (dependencies: RotationDependencies) => Promise<Rewrapped>;

/** A row that no key opens is logged and stays unchanged. */
export function rotationOf<Row extends { readonly team_id: string }>(
  table: Omit<SealedTable<Row>, 'onUnreadable'>,
): Rotation {
  return ({ database, logger }) =>
    rewrapTable<Row>(database, {
      ...table,
      onUnreadable: (row, error) =>
        logger.error(
          { err: error, teamId: row.team_id, [table.id]: row[table.id] },
          `A row of ${table.name} opens with no configured key. Add the key that sealed it, or set its secrets again.`,
        ),
    });
}

/** Rotates the keys of these tables once. @param what the secrets, in log lines */
export async function rotateKeys(
  dependencies: RotationDependencies,
  what: string,
  rotations: readonly Rotation[],
): Promise<Rewrapped> {
  const { logger } = dependencies;
  const total = { rewrapped: 0, unreadable: 0 };
  for (const rotate of rotations) {
    const { rewrapped, unreadable } = await rotate(dependencies);
    total.rewrapped += rewrapped;
    total.unreadable += unreadable;
  }
  if (total.rewrapped > 0) logger.info(total, `The ${what} are now sealed with the current secret key.`);
  else if (total.unreadable === 0)
    logger.info({}, `None of the ${what} needs a former secret key: it may be removed once every process logs this.`);
  return total;
}

interface Service {
  readonly logger: RotationDependencies['logger'];
  repeat(task: { readonly what: string; readonly everyMs: number; readonly work: () => Promise<unknown> }): unknown;
}

/** Another process may still seal with a former key during a rolling update. */
const everyMs = 3_600_000;

/** While former keys are configured: rotates at once and then hourly, until the service stops. */
export function keepKeysRotated(
  { logger, repeat }: Service,
  { box, database, what }: { readonly box: SecretBox; readonly database: Database; readonly what: string },
  rotations: readonly Rotation[],
): void {
  if (!box.hasFormerKeys) return;
  const work = () => rotateKeys({ database, logger }, what, rotations);
  repeat({ what: `Re-encryption of ${what}`, everyMs, work });
}
