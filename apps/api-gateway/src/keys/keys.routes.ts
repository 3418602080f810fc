import type { RequestHandler } from 'express';
import type { Database } from '@rapporteur/database';
import { invalid, parseDateTime } from '@rapporteur/service-runtime';
import { fail } from '@rapporteur/failures';
import type { Clock, Permission } from '@rapporteur/service-runtime';
import { acceptedOf } from '../contract/validator.ts';
import { keyOf } from './authentication.ts';
import { addKey, countGoodKeys, listKeys, revokeKey } from './keys.store.ts';
import type { KeyRecord } from './keys.store.ts';

/** Maximum number of valid keys that a team can create itself; operators can create more. */
const mostKeys = 100;

interface CreateApiKey {
  readonly name: string;
  readonly permission: Permission;
  readonly expires_at: string | null;
}

/** Handlers of the operations on a team's keys, by operation id. */
export function keyOperations(database: Database, clock: Clock): Readonly<Record<string, RequestHandler>> {
  return {
    listApiKeys: async (request, response) => {
      const { teamId, keyId } = keyOf(request);
      const records = await listKeys(database, teamId);
      response.json({ success: true, data: records.map((record) => shownOf(record, keyId)) });
    },
    createApiKey: async (request, response) => {
      const { teamId, keyId } = keyOf(request);
      const { name, permission, expires_at: end } = acceptedOf(request).body as CreateApiKey;
      const expiresAt = end === null ? null : new Date(parseDateTime(end) ?? end);
      if (expiresAt !== null && expiresAt.getTime() <= clock.now()) {
        throw invalid('expires_at', 'It must be in the future.');
      }
      if ((await countGoodKeys(database, teamId)) >= mostKeys) throw fail('API_KEY_LIMIT');
      const { record, text } = await addKey(database, { teamId, name, permission, expiresAt });
      response.status(201).json({ success: true, data: { ...shownOf(record, keyId), api_key: text } });
    },
    revokeApiKey: async (request, response) => {
      const { teamId, keyId } = keyOf(request);
      const { key_id: revoked } = acceptedOf(request).params as { key_id: string };
      response.json({ success: true, data: shownOf(await revokeKey(database, revoked, teamId), keyId) });
    },
  };
}

function shownOf({ team_id: _team, start, ...record }: KeyRecord, currentKeyId: string) {
  const { created_at: created, expires_at: expires, revoked_at: revoked, last_used_at: used } = record;
  return {
    ...record,
    key_start: start,
    current: record.key_id === currentKeyId,
    created_at: created.toISOString(),
    expires_at: expires?.toISOString() ?? null,
    revoked_at: revoked?.toISOString() ?? null,
    last_used_at: used?.toISOString() ?? null,
  };
}
