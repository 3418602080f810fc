import type { Database } from '@rapporteur/database';
import { everyObject } from '@rapporteur/object-store';
import type { ObjectStore } from '@rapporteur/object-store';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { storeReason } from '../configurations/store-reason.ts';
import type { StorageMoveRow, SupersededObjectsRow } from '../schema/team-storage-entities.ts';
import { listSpilled } from '../spill/spilled-objects.store.ts';
import type { TeamStores } from '../team-stores/team-stores.ts';
import {
  forgetSuperseded,
  supersededBefore,
  supersededOf,
  supersedeOfDeleted,
} from '../superseded/superseded.store.ts';
import {
  bindingOf,
  completeMove,
  dueMoves,
  forgetMove,
  moveRetryMs,
  moveTargetOf,
  recordMoveError,
} from './moves.store.ts';

export interface MoveDependencies {
  readonly database: Database;
  /** The object store of the deployment. */
  readonly own: ObjectStore;
  /** Routes to the store that a bot is bound to. */
  readonly store: ObjectStore;
  readonly teams: TeamStores;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long objects stay in the former store. */
  readonly artifactUrlTtlMs: number;
}

/** One location of objects of a bot. */
interface Place {
  readonly stores: readonly ObjectStore[];
  of(key: string): ObjectStore;
  /** Before every key of the bot. */
  readonly prefix: string;
}

const botsAtOnce = 5;

/** Copies the objects of bots that are due, one bot after the other. @returns how many were moved */
export async function moveDueBots(dependencies: MoveDependencies): Promise<number> {
  const { database, clock, logger } = dependencies;
  let moved = 0;
  const claim = { at: new Date(clock.now()), limit: botsAtOnce, leaseMs: moveRetryMs };
  for (const row of await dueMoves.claim(database, claim)) {
    try {
      if (await moveBot(dependencies, row)) moved += 1;
    } catch (error) {
      logger.warn({ err: error, botId: row.bot_id, teamId: row.team_id }, 'A bot could not be moved; trying again.');
      await recordMoveError(database, row.bot_id, storeReason(error));
    } finally {
      const removeAt = new Date(clock.now());
      await supersedeOfDeleted(database, row.bot_id, { storageConfigId: row.target_config_id, removeAt });
    }
  }
  return moved;
}

/** Objects copied before are not copied again. */
async function moveBot(dependencies: MoveDependencies, row: StorageMoveRow): Promise<boolean> {
  const { database, store, clock, artifactUrlTtlMs } = dependencies;
  const from = await bindingOf(database, row.bot_id);
  if (from === undefined || from === row.target_config_id) {
    await forgetMove(database, row.bot_id);
    return false;
  }
  if ((await listSpilled(database, row.bot_id, '')).length > 0)
    throw new Error('Objects of this bot wait for their bucket.');
  const target = await placeOf(dependencies, row.bot_id, row.target_config_id);
  const start = `bots/${row.bot_id}/`;
  for await (const { key, bytes } of everyObject(store, start)) {
    if ((await bindingOf(database, row.bot_id)) === undefined) return false;
    const below = key.slice(start.length);
    await copy({ from: store, key }, { to: target.of(below), key: target.prefix + below, bytes });
  }
  await completeMove(database, row, { from, removeAt: new Date(clock.now() + artifactUrlTtlMs) });
  return true;
}

interface Source {
  readonly from: ObjectStore;
  readonly key: string;
}

interface Target {
  readonly to: ObjectStore;
  readonly key: string;
  readonly bytes: number;
}

async function copy({ from, key }: Source, target: Target): Promise<void> {
  const there = await target.to.head(target.key);
  if (there?.bytes === target.bytes) return;
  const { info, body } = await from.get(key);
  const { contentType, sha256 } = info;
  await target.to.put(target.key, body, { contentType, ...(sha256 === null ? {} : { sha256 }) });
  const stored = await target.to.head(target.key);
  if (stored?.bytes !== info.bytes) throw new Error('The target does not show the object that it took.');
}

/** Removes copies that a move left and no link refers to any more. Objects written there after the move are kept. */
export async function removeSuperseded(dependencies: MoveDependencies): Promise<void> {
  const { database, clock, logger } = dependencies;
  for (const row of await supersededBefore(database, new Date(clock.now()))) {
    await removeOne(dependencies, row).catch((error: unknown) =>
      logger.warn({ err: error, botId: row.bot_id }, 'Objects that were moved could not be removed; trying again.'),
    );
  }
}

async function removeOne(dependencies: MoveDependencies, row: SupersededObjectsRow): Promise<void> {
  const { database, store } = dependencies;
  const binding = await bindingOf(database, row.bot_id);
  // It was moved back.
  if (binding === row.storage_config_id) return await forgetSuperseded(database, row.id);
  const former = await placeOf(dependencies, row.bot_id, row.storage_config_id);
  if (binding !== undefined) {
    const current = await placeOf(dependencies, row.bot_id, binding);
    for (const source of former.stores)
      for await (const { key, bytes } of everyObject(source, former.prefix)) {
        const below = key.slice(former.prefix.length);
        if (below.startsWith('attempts/') || below.startsWith('segments/')) continue;
        if ((await store.head(`bots/${row.bot_id}/${below}`)) !== null) continue;
        await copy({ from: source, key }, { to: current.of(below), key: current.prefix + below, bytes });
      }
  }
  for (const source of former.stores) await source.deletePrefix(former.prefix);
  await forgetSuperseded(database, row.id);
}

/** All copies of a deleted bot, in stores that it was moved from and in the destination of a pending move. */
export async function deleteSuperseded(
  dependencies: Pick<MoveDependencies, 'database' | 'own' | 'teams'>,
  botId: string,
): Promise<void> {
  const { database } = dependencies;
  const target = await moveTargetOf(database, botId);
  if (target !== undefined) {
    const { stores, prefix } = await placeOf(dependencies, botId, target);
    for (const store of stores) await store.deletePrefix(prefix);
  }
  for (const row of await supersededOf(database, botId)) {
    const former = await placeOf(dependencies, botId, row.storage_config_id);
    for (const source of former.stores) await source.deletePrefix(former.prefix);
    await forgetSuperseded(database, row.id);
  }
  await forgetMove(database, botId);
}

async function placeOf(
  { own, teams }: Pick<MoveDependencies, 'own' | 'teams'>,
  botId: string,
  storageConfigId: string | null,
): Promise<Place> {
  if (storageConfigId === null) return { stores: [own], of: () => own, prefix: `bots/${botId}/` };
  const team = await teams.open(storageConfigId);
  return { stores: team.buckets, of: (key) => team.bucketOf(key), prefix: `${botId}/` };
}
