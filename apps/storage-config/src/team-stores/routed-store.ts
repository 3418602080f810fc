import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import { everyObject } from '@rapporteur/object-store';
import type {
  CompleteMultipartOptions,
  GetOptions,
  MultipartPart,
  ListOptions,
  ObjectBody,
  ObjectInfo,
  ObjectPage,
  ObjectRead,
  ObjectStore,
  UploadPartOptions,
  PutOptions,
  SignedGetOptions,
  SignedRequestToStore,
  SweepOptions,
} from '@rapporteur/object-store';
import type { Clock } from '@rapporteur/service-runtime';
import {
  attemptPrefix,
  directPrefix,
  findDirect,
  forgetDirect,
  listDirect,
  newestFencing,
  slotKey,
} from '../direct/direct-objects.store.ts';
import type { ObjectPlace } from '../direct/direct-objects.store.ts';
import type { DirectPart, SlotAttempt } from '../direct/direct-uploads.routes.ts';
import {
  addSpilled,
  copyKey,
  findSpilled,
  forgetSpilled,
  isCopy,
  listSpilled,
  settleHeld,
} from '../spill/spilled-objects.store.ts';
import { storeReason } from '../configurations/team-buckets.ts';
import type { TeamStore, TeamStores } from './team-stores.ts';

export interface RoutedStoreDependencies {
  /** The object store of the deployment. */
  readonly own: ObjectStore;
  readonly teams: TeamStores;
  readonly database: Database;
  readonly clock: Clock;
}

interface Routed extends ObjectPlace {
  readonly team: TeamStore;
  readonly bucket: ObjectStore;
  /** The key in the team's bucket. */
  readonly teamKey: string;
}

const ownPrefix = 'bots/';
/** Until the runner sends another. */
const slotType = 'application/octet-stream';

/**
 * Routes each object to the store that its bot is bound to: keys `bots/<bot>/…` of the deployment's store are `<bot>/…`
 * in the buckets of a team. Objects that a team's bucket refuses are held in the deployment's store and served from
 * there, where the team permits that.
 */
export class RoutedStore implements ObjectStore {
  /** Depends on the bot: `signPart`. */
  readonly direct = null;
  readonly #own: ObjectStore;
  readonly #teams: TeamStores;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ own, teams, database, clock }: RoutedStoreDependencies) {
    this.#own = own;
    this.#teams = teams;
    this.#database = database;
    this.#clock = clock;
  }

  async put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo> {
    const info = await this.#put(key, body, options);
    const place = placeOf(key);
    // An object uploaded directly before would hide it.
    if (place?.key.startsWith(directPrefix) === true && (await findDirect(this.#database, place)) !== null)
      await forgetDirect(this.#database, place.botId, place.key);
    return info;
  }

  async #put(key: string, body: ObjectBody, options: PutOptions): Promise<ObjectInfo> {
    const routed = await this.#route(key);
    if (routed === null) return await this.#own.put(key, body, options);
    const { team, bucket, teamKey } = routed;
    if (team.allowTransientSpill && (team.isFailing || (await findSpilled(this.#database, routed)) !== null))
      return await this.#spill(key, routed, body, options);
    return { ...(await this.#watch(team, bucket.put(teamKey, body, options))), key };
  }

  /**
   * A request with which the runner uploads a part of a multipart upload directly to the store of its bot. Null where the
   * store cannot, or fails at the moment.
   */
  async signPart(
    key: string,
    part: DirectPart,
  ): Promise<(SignedRequestToStore & { readonly customers: boolean }) | null> {
    const routed = await this.#route(key);
    const { direct } = routed?.bucket ?? this.#own;
    if (direct === null || routed?.team.isFailing === true) return null;
    const request = await direct.signedPart(routed?.teamKey ?? key, part.upload, part.part, part);
    return request === null ? null : { ...request, customers: routed !== null };
  }

  /** Requests with which the runner uploads fragments of any key; null as for `signPart`. */
  async signSlots(botId: string, slots: readonly string[], { fencing, expiresAtMs }: SlotAttempt) {
    const routed = await this.#route(`${ownPrefix}${botId}/${directPrefix}`);
    const { direct } = routed?.bucket ?? this.#own;
    if (direct === null || routed?.team.isFailing === true) return null;
    const customers = routed !== null;
    const prefix = `${customers ? '' : ownPrefix}${botId}/`;
    return await Promise.all(
      slots.map(async (slot) => {
        const key = prefix + slotKey(fencing, slot);
        return {
          slot,
          request: { ...(await direct.signedPut(key, { contentType: slotType, expiresAtMs })), customers },
        };
      }),
    );
  }

  async createMultipart(key: string, options: { readonly contentType: string }): Promise<string> {
    const routed = await this.#route(key);
    if (routed === null) return await this.#own.createMultipart(key, options);
    return await this.#multipart(routed, routed.bucket.createMultipart(routed.teamKey, options));
  }

  async uploadPart(
    key: string,
    upload: string,
    part: MultipartPart,
    put: { body: ObjectBody } & UploadPartOptions,
  ): Promise<void> {
    const routed = await this.#route(key);
    if (routed === null) return await this.#own.uploadPart(key, upload, part, put);
    await this.#multipart(routed, routed.bucket.uploadPart(routed.teamKey, upload, part, put));
  }

  async completeMultipart(key: string, upload: string, options: CompleteMultipartOptions): Promise<ObjectInfo> {
    const routed = await this.#route(key);
    if (routed === null) return await this.#own.completeMultipart(key, upload, options);
    const finished = await this.#multipart(routed, routed.bucket.completeMultipart(routed.teamKey, upload, options));
    return { ...finished, key };
  }

  async abortMultipart(key: string, upload: string): Promise<void> {
    const routed = await this.#route(key);
    if (routed === null) return await this.#own.abortMultipart(key, upload);
    await this.#watch(routed.team, routed.bucket.abortMultipart(routed.teamKey, upload));
  }

  async get(key: string, options?: GetOptions): Promise<ObjectRead> {
    const { store, storeKey } = await this.#reader(key);
    const { info, body } = await store.get(storeKey, options);
    return { info: { ...info, key }, body };
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const { store, storeKey } = await this.#reader(key);
    const info = await store.head(storeKey);
    return info === null ? null : { ...info, key };
  }

  /** Lists the objects of one bot, where objects may be sent directly: everything in one page, whatever the limit. */
  async list(options: ListOptions): Promise<ObjectPage> {
    const place = placeOf(options.prefix);
    const team = place === null ? null : await this.#teams.ofBot(place.botId);
    if (place === null || (team === null && this.#own.direct === null)) return await this.#own.list(options);
    const { botId, key: below } = place;
    const found = new Map<string, number>();
    const note = (objects: readonly { readonly key: string; readonly bytes: number }[]): void => {
      for (const { key, bytes } of objects) found.set(`${ownPrefix}${botId}/${key}`, bytes);
    };
    for (const { store, prefix } of this.#storesOf(team, botId))
      for await (const { key, bytes } of everyObject(store, prefix + below))
        if (!key.startsWith(`${prefix}attempts/`)) note([{ key: key.slice(prefix.length), bytes }]);
    note(await listDirect(this.#database, botId, below));
    note(await listSpilled(this.#database, botId, below));
    const objects = [...found].map(([key, bytes]) => ({ key, bytes }));
    objects.sort((left, right) => Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)));
    return { objects, cursor: null };
  }

  async delete(key: string): Promise<void> {
    const { store, storeKey } = await this.#reader(key);
    await store.delete(storeKey);
    const routed = await this.#route(key);
    if (routed === null) return;
    await routed.bucket.delete(routed.teamKey);
    // A copy that is held no longer is removed by the sweep.
    await settleHeld(this.#database, routed, new Date(this.#clock.now()));
  }

  /** All copies: those in the team's buckets, those that are held for them, and those below attempts. */
  async deletePrefix(prefix: string): Promise<number> {
    const place = placeOf(prefix);
    if (place === null) return await this.#own.deletePrefix(prefix);
    const { botId, key: below } = place;
    const team = await this.#teams.ofBot(botId);
    const attempts = below.startsWith(directPrefix) ? await newestFencing(this.#database, botId) : 0;
    let deleted = 0;
    try {
      for (const { store, prefix: start } of this.#storesOf(team, botId)) {
        deleted += await store.deletePrefix(start + below);
        if (store.direct === null) continue;
        for (let fencing = 1; fencing <= attempts; fencing += 1)
          deleted += await store.deletePrefix(start + attemptPrefix(fencing) + below);
      }
    } catch (error) {
      throw team !== null && isStoreFailure(error) ? refusalOf(error) : error;
    }
    await forgetDirect(this.#database, botId, below);
    if (team === null) return deleted;
    // First the copy, then its row: a row without a copy would hide the bucket's object.
    deleted += await this.#own.deletePrefix(prefix);
    await forgetSpilled(this.#database, botId, below);
    return deleted;
  }

  async signedGetUrl(key: string, options: SignedGetOptions): Promise<string> {
    const { store, storeKey } = await this.#reader(key);
    return await store.signedGetUrl(storeKey, options);
  }

  sweepUnfinished(options: SweepOptions): Promise<number> {
    return this.#own.sweepUnfinished(options);
  }

  /** The stores are closed by their owner. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Null: the deployment's store. */
  async #route(key: string): Promise<Routed | null> {
    const place = placeOf(key);
    if (place === null) return null;
    const team = await this.#teams.ofBot(place.botId);
    if (team === null) return null;
    return { ...place, team, bucket: team.bucketOf(place.key), teamKey: `${place.botId}/${place.key}` };
  }

  async #reader(key: string): Promise<{ readonly store: ObjectStore; readonly storeKey: string }> {
    const routed = await this.#route(key);
    if (routed?.team.allowTransientSpill === true) {
      if (await isCopy(this.#database, routed)) return { store: this.#own, storeKey: key };
      const held = await findSpilled(this.#database, routed);
      if (held !== null) return { store: this.#own, storeKey: copyKey(held) };
    }
    const store = routed?.bucket ?? this.#own;
    const place = placeOf(key);
    const direct = store.direct === null || place === null ? null : await findDirect(this.#database, place);
    if (direct === null || place === null) return { store, storeKey: routed?.teamKey ?? key };
    const prefix = `${routed === null ? ownPrefix : ''}${place.botId}/`;
    return { store, storeKey: prefix + slotKey(direct.fencing, direct.slot) };
  }

  #storesOf(team: TeamStore | null, botId: string) {
    if (team === null) return [{ store: this.#own, prefix: `${ownPrefix}${botId}/` }];
    return team.buckets.map((store) => ({ store, prefix: `${botId}/` }));
  }

  async #spill(key: string, { team, botId, key: below }: Routed, body: ObjectBody, options: PutOptions) {
    const { teamId, storageConfigId } = team;
    const version = randomUUID();
    let bytes = 0;
    const guard = options.guard ?? ((publish) => publish());
    const stored = await this.#own.put(
      copyKey({ bot_id: botId, key: below, version }),
      counted(body, (length) => (bytes += length)),
      {
        ...options,
        guard: (publish) =>
          guard(async () => {
            await publish();
            const { contentType } = options;
            const object = { botId, key: below, version, teamId, storageConfigId, bytes, contentType };
            await addSpilled(this.#database, object, new Date(this.#clock.now()));
          }),
      },
    );
    return { ...stored, key };
  }

  /** A multipart upload is never held: where holding is permitted the sender sends the object as a whole. */
  async #multipart<T>({ team }: Routed, work: Promise<T>): Promise<T> {
    try {
      return await this.#watch(team, work);
    } catch (error) {
      if (!team.allowTransientSpill || !isStoreFailure(error)) throw error;
      throw fail('OBJECT_NOT_FOUND', { message: 'The bucket fails; send the object as a whole.', cause: error });
    }
  }

  async #watch<T>(team: TeamStore, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      await team.noteFailure(error).catch(() => undefined);
      throw refusalOf(error);
    }
  }
}

/** The bot, and the key below its prefix; null for a key of no bot. */
function placeOf(key: string): ObjectPlace | null {
  const found = /^bots\/([0-9a-f-]{36})\/(.*)$/s.exec(key);
  return found === null ? null : { botId: found[1] ?? '', key: found[2] ?? '' };
}

/** The store itself failed; the request is valid. */
function isStoreFailure(error: unknown): boolean {
  return !(error instanceof Failure) || error.code === 'UNAVAILABLE' || error.code === 'ADDRESS_REFUSED';
}

/** With the reason of the team's store for the customer; the sentence of the deployment's store is for its operator. */
function refusalOf(error: unknown): Failure {
  const code = error instanceof Failure ? error.code : 'UNAVAILABLE';
  return fail(code, { message: storeReason(error), cause: error });
}

async function* counted(body: ObjectBody, count: (length: number) => void): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    count(body.byteLength);
    yield body;
    return;
  }
  for await (const chunk of body) {
    count(chunk.byteLength);
    yield chunk;
  }
}
