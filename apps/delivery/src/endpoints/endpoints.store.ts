import { randomUUID } from 'node:crypto';
import { insertRow } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import { endpoints } from '../schema/entities.ts';
import type { EndpointRow, PayloadFormat, DisabledReason } from '../schema/entities.ts';
import type { EndpointHeaders, EndpointSecrets } from './endpoint-secrets.ts';

export interface NewEndpoint {
  readonly url: string;
  readonly name: string | null;
  readonly events: readonly string[];
  /** The format of new messages. */
  readonly format: PayloadFormat;
  readonly enabled: boolean;
  /** Sent with every message beside the service's own; null: none. */
  readonly headers: EndpointHeaders | null;
}

export type EndpointChange = { readonly [K in keyof NewEndpoint]?: NewEndpoint[K] | undefined };

export interface EndpointWithSecret {
  readonly endpoint: EndpointRow;
  readonly secret: string;
}

/** Endpoints of a team. Another team's endpoint is WEBHOOK_ENDPOINT_NOT_FOUND. */
export interface Endpoints {
  /** Throws WEBHOOK_ENDPOINT_LIMIT above 50 per team. */
  create(teamId: string, wanted: NewEndpoint): Promise<EndpointWithSecret>;
  list(teamId: string): Promise<EndpointRow[]>;
  get(teamId: string, endpointId: string): Promise<EndpointRow>;
  /**
   * Enabling sends held deliveries; disabling holds pending ones. Throws VALIDATION for another origin without `headers`,
   * whose values only their owner may send there.
   */
  update(teamId: string, endpointId: string, change: EndpointChange): Promise<EndpointRow>;
  remove(teamId: string, endpointId: string): Promise<void>;
  /** Creates a new secret; the replaced one also signs for 24 hours. */
  rotateSecret(teamId: string, endpointId: string): Promise<EndpointWithSecret>;
}

export const endpointsPerTeam = 50;
const overlapMs = 24 * 3_600_000;

export function createEndpoints(database: Database, secrets: EndpointSecrets, now: () => number): Endpoints {
  return {
    create: (teamId, { headers, ...wanted }) =>
      database.transaction(async (transaction) => {
        await refuseBeyondLimit(transaction, teamId);
        const endpointId = randomUUID();
        const { text, sealed } = secrets.create(endpointId, teamId);
        const at = new Date(now());
        const endpoint = await insertRow(transaction, endpoints, {
          endpoint_id: endpointId,
          team_id: teamId,
          ...wanted,
          events: [...wanted.events],
          disabled_reason: wanted.enabled ? null : 'by_request',
          secret: sealed,
          ...secrets.sealHeaders(endpointId, teamId, headers ?? {}),
          created_at: at,
          updated_at: at,
        });
        return { endpoint: { ...endpoint, secret: sealed }, secret: text };
      }),
    list: (teamId) =>
      database.query<EndpointRow>(
        `select * from webhook_endpoints where team_id = $1 and owner_id is null order by created_at, endpoint_id limit ${endpointsPerTeam}`,
        [teamId],
      ),
    get: (teamId, endpointId) => find(database, teamId, endpointId),
    update: (teamId, endpointId, change) =>
      database.transaction(async (transaction) => {
        const held = await lock(transaction, teamId, endpointId);
        const at = new Date(now());
        refuseHeadersElsewhere(held, change);
        const own = change.headers === undefined ? held : secrets.sealHeaders(endpointId, teamId, change.headers ?? {});
        await transaction.query(
          `update webhook_endpoints set url = $2, name = $3, events = $4, updated_at = $5, format = $6, headers = $7, header_names = $8
            where endpoint_id = $1`,
          [
            endpointId,
            change.url ?? held.url,
            nameAfter(held, change),
            change.events ?? held.events,
            at,
            change.format ?? held.format,
            own.headers,
            own.header_names,
          ],
        );
        if (change.enabled === true && !held.enabled) await enableEndpoint(transaction, endpointId, at);
        if (change.enabled === false && held.enabled) await disableEndpoint(transaction, endpointId, 'by_request', at);
        return find(transaction, teamId, endpointId);
      }),
    remove: async (teamId, endpointId) => {
      const removed = await database.query(
        'delete from webhook_endpoints where team_id = $1 and endpoint_id = $2 and owner_id is null returning endpoint_id',
        [teamId, endpointId],
      );
      if (removed.length === 0) throw fail('WEBHOOK_ENDPOINT_NOT_FOUND');
    },
    rotateSecret: (teamId, endpointId) =>
      database.transaction((transaction) => rotateSecret(transaction, secrets, { teamId, endpointId, nowMs: now() })),
  };
}

async function rotateSecret(
  transaction: Executor,
  secrets: EndpointSecrets,
  { teamId, endpointId, nowMs }: { readonly teamId: string; readonly endpointId: string; readonly nowMs: number },
): Promise<EndpointWithSecret> {
  const held = await lock(transaction, teamId, endpointId);
  const { text, sealed } = secrets.create(endpointId, teamId);
  const retired = secrets.retire({
    endpointId,
    teamId,
    secret: held.secret,
    previousSecret: held.previous_secret,
    previousSecretExpiresAt: held.previous_secret_expires_at,
  });
  const [endpoint] = await transaction.query<EndpointRow>(
    `update webhook_endpoints set secret = $2, previous_secret = $3, previous_secret_expires_at = $4, updated_at = $5
      where endpoint_id = $1 returning *`,
    [endpointId, sealed, retired, retired === null ? null : new Date(nowMs + overlapMs), new Date(nowMs)],
  );
  return { endpoint: endpoint as EndpointRow, secret: text };
}

function refuseHeadersElsewhere(held: EndpointRow, { url, headers }: EndpointChange): void {
  if (held.headers === null || headers !== undefined || url === undefined) return;
  if (new URL(url).origin === new URL(held.url).origin) return;
  throw invalid('headers', 'is required with a url on another host: give the headers for it, or null for none.');
}

function nameAfter(held: EndpointRow, change: EndpointChange): string | null {
  return change.name === undefined ? held.name : change.name;
}

/** Serializes creations, so that two at once do not exceed the limit. */
async function refuseBeyondLimit(transaction: Executor, teamId: string): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock(hashtext($1))', [`webhook_endpoints.${teamId}`]);
  const [counted] = await transaction.query<{ count: number }>(
    'select count(*)::int as count from webhook_endpoints where team_id = $1 and owner_id is null',
    [teamId],
  );
  if ((counted?.count ?? 0) >= endpointsPerTeam) throw fail('WEBHOOK_ENDPOINT_LIMIT');
}

async function find(database: Executor, teamId: string, endpointId: string): Promise<EndpointRow> {
  const [endpoint] = await database.query<EndpointRow>(
    'select * from webhook_endpoints where team_id = $1 and endpoint_id = $2 and owner_id is null',
    [teamId, endpointId],
  );
  if (endpoint === undefined) throw fail('WEBHOOK_ENDPOINT_NOT_FOUND');
  return endpoint;
}

async function lock(transaction: Executor, teamId: string, endpointId: string): Promise<EndpointRow> {
  const [endpoint] = await transaction.query<EndpointRow>(
    'select * from webhook_endpoints where team_id = $1 and endpoint_id = $2 and owner_id is null for no key update',
    [teamId, endpointId],
  );
  if (endpoint === undefined) throw fail('WEBHOOK_ENDPOINT_NOT_FOUND');
  return endpoint;
}

/** Disables an endpoint, which the caller has locked. Its pending deliveries are held. */
export async function disableEndpoint(
  transaction: Executor,
  endpointId: string,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  await transaction.query(
    'update webhook_endpoints set enabled = false, disabled_reason = $2, updated_at = $3 where endpoint_id = $1',
    [endpointId, reason, now],
  );
  await transaction.query(
    `update deliveries set state = 'held', next_attempt_at = null, lease_id = null
      where endpoint_id = $1 and state = 'pending'`,
    [endpointId],
  );
}

/** Enables an endpoint, which the caller has locked. Held deliveries are due now, with a new schedule. */
async function enableEndpoint(transaction: Executor, endpointId: string, now: Date): Promise<void> {
  await transaction.query(
    `update webhook_endpoints set enabled = true, disabled_reason = null, failing_since = null, updated_at = $2
      where endpoint_id = $1`,
    [endpointId, now],
  );
  await transaction.query(
    `update deliveries set state = 'pending', next_attempt_at = $2, tries = 0
      where endpoint_id = $1 and state = 'held'`,
    [endpointId, now],
  );
}
