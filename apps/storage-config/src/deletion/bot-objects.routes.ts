import { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import type { ObjectStore } from '@rapporteur/object-store';
import { serveCall } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import type { Grants } from '../grants/grants.store.ts';
import { uploadsEndMs } from '../direct/direct-objects.store.ts';

export interface DeletionDependencies {
  readonly database: Database;
  /** Routes to teams' buckets. */
  readonly store: ObjectStore;
  readonly grants: Pick<Grants, 'forget'>;
}

/**
 * bot-scheduler deletes all data of a bot here. Confirmed once every store that may hold some has confirmed it. What an
 * upload writes afterwards that was permitted before is deleted when the last one has ended. Idempotent.
 */
export function botObjectRoutes(service: Service, { database, store, grants }: DeletionDependencies): Router {
  return serveCall(service.auth, internalCalls.storage.deleteBotObjects, async ({ botId, teamId }) => {
    await closeForGood(database, { botId, teamId, uploadsEndAt: new Date(service.clock.now() + uploadsEndMs) });
    await grants.forget(botId);
    try {
      await store.deletePrefix(`bots/${botId}/`);
      return { confirmed: true as const };
    } catch (error) {
      service.logger.warn(
        { err: error, botId, teamId },
        'A store did not confirm the deletion of the objects of a bot.',
      );
      const reason = error instanceof Failure ? error.message : 'The object store did not respond as it should.';
      return { confirmed: false as const, reason };
    }
  });
}

interface Closing {
  readonly botId: string;
  readonly teamId: string;
  /** When no upload that was permitted before arrives any more. */
  readonly uploadsEndAt: Date;
}

/**
 * From the commit on no grant of this bot writes anything through this instance, and 4 s later through no other one
 * either. A write already in progress here finishes first and is deleted with the rest.
 */
async function closeForGood(database: Database, { botId, teamId, uploadsEndAt }: Closing): Promise<void> {
  const [row] = await database.query<{ team_id: string }>(
    `insert into bot_storage (bot_id, team_id, fencing, deleted_at, delete_again_at) values ($1, $2, 1, now(), $3)
     on conflict (bot_id) do update set updated_at = now(),
       deleted_at = case when bot_storage.team_id = excluded.team_id and bot_storage.deleted_at is null
         then now() else bot_storage.deleted_at end,
       delete_again_at = case when bot_storage.team_id = excluded.team_id and bot_storage.deleted_at is null
         then excluded.delete_again_at else bot_storage.delete_again_at end
     returning team_id`,
    [botId, teamId, uploadsEndAt],
  );
  if (row?.team_id !== teamId) throw fail('GRANT_REJECTED', { message: 'This bot belongs to another team.' });
}
