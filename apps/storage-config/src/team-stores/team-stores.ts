import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import type { GuardedAgents, OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { ConfigurationSecrets } from '../configurations/configuration-secrets.ts';
import { findConfiguration, recordError } from '../configurations/configurations.store.ts';
import { storeReason, bucketFieldOf, openTeamBuckets } from '../configurations/team-buckets.ts';
import type { TeamBuckets } from '../configurations/team-buckets.ts';

/** The buckets of one version of a team's configuration. */
export interface TeamStore {
  readonly storageConfigId: string;
  readonly teamId: string;
  readonly allowTransientSpill: boolean;
  /** Each bucket once. */
  readonly buckets: readonly ObjectStore[];
  bucketOf(key: string): ObjectStore;
  /** True for a while after a failed write. */
  readonly isFailing: boolean;
  noteFailure(error: unknown): Promise<void>;
}

/** Which store a bot's objects are in. */
export interface TeamStores {
  /** Null: the object store of the deployment. */
  ofBot(botId: string): Promise<TeamStore | null>;
  /** Throws when the configuration does not exist, or no key opens its secrets. */
  open(storageConfigId: string): Promise<TeamStore>;
  /** The agents of every connection to a team's buckets. */
  readonly agents: GuardedAgents;
  close(): Promise<void>;
}

export interface TeamStoresDependencies {
  readonly database: Database;
  readonly secrets: ConfigurationSecrets;
  readonly http: Pick<OutboundHttp, 'agents'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const trustMs = 4_000;
const bindingsAtMost = 20_000;
const openAtMost = 500;
/** For this long after a failed write, objects that may be held are held without trying the bucket. */
const failingMs = 30_000;

export function createTeamStores(dependencies: TeamStoresDependencies): TeamStores {
  const { database, secrets, clock } = dependencies;
  const agents = dependencies.http.agents();
  const bindings = new Map<string, { readonly id: string | null; readonly untilMs: number }>();
  const opened = new Map<string, Promise<OpenedStore>>();

  const idOf = async (botId: string): Promise<string | null> => {
    const known = bindings.get(botId);
    if (known !== undefined && clock.monotonic() < known.untilMs) return known.id;
    const untilMs = clock.monotonic() + trustMs;
    const [row] = await database.query<{ storage_config_id: string | null }>(
      'select storage_config_id from bot_storage where bot_id = $1',
      [botId],
    );
    // A bot without a row may get one at any moment.
    if (row === undefined) return null;
    if (bindings.size >= bindingsAtMost) bindings.clear();
    bindings.set(botId, { id: row.storage_config_id, untilMs });
    return row.storage_config_id;
  };

  const load = async (storageConfigId: string): Promise<OpenedStore> => {
    const row = await findConfiguration(database, storageConfigId);
    if (row === null) throw new Error(`There is no storage configuration ${storageConfigId}.`);
    const buckets = openTeamBuckets(secrets.open(row), { agents });
    const identity = { id: storageConfigId, teamId: row.team_id, spill: row.allow_transient_spill };
    return new OpenedStore(identity, buckets, dependencies);
  };

  const open = (storageConfigId: string): Promise<OpenedStore> => {
    const known = opened.get(storageConfigId);
    if (known !== undefined) return known;
    if (opened.size >= openAtMost) opened.clear();
    const loading = load(storageConfigId);
    opened.set(storageConfigId, loading);
    loading.catch(() => opened.delete(storageConfigId));
    return loading;
  };

  return {
    open,
    agents,
    ofBot: async (botId) => {
      const id = await idOf(botId);
      return id === null ? null : await open(id);
    },
    close: async () => {
      const stores = await Promise.allSettled(opened.values());
      opened.clear();
      for (const store of stores) if (store.status === 'fulfilled') await store.value.close();
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

interface Identity {
  readonly id: string;
  readonly teamId: string;
  readonly spill: boolean;
}

class OpenedStore implements TeamStore {
  readonly storageConfigId: string;
  readonly teamId: string;
  readonly allowTransientSpill: boolean;
  readonly #buckets: TeamBuckets;
  readonly #dependencies: Pick<TeamStoresDependencies, 'database' | 'clock' | 'logger'>;
  #failingUntilMs = -Infinity;

  constructor(
    { id, teamId, spill }: Identity,
    buckets: TeamBuckets,
    dependencies: Pick<TeamStoresDependencies, 'database' | 'clock' | 'logger'>,
  ) {
    this.storageConfigId = id;
    this.teamId = teamId;
    this.allowTransientSpill = spill;
    this.#buckets = buckets;
    this.#dependencies = dependencies;
  }

  get buckets(): readonly ObjectStore[] {
    return this.#buckets.distinct;
  }

  bucketOf(key: string): ObjectStore {
    return this.#buckets.of(bucketFieldOf(key));
  }

  get isFailing(): boolean {
    return this.#dependencies.clock.monotonic() < this.#failingUntilMs;
  }

  async noteFailure(error: unknown): Promise<void> {
    const { database, clock, logger } = this.#dependencies;
    const { storageConfigId, teamId } = this;
    const reason = storeReason(error);
    const already = this.isFailing;
    this.#failingUntilMs = clock.monotonic() + failingMs;
    if (already) return;
    logger.warn({ err: error, teamId, storageConfigId }, "A team's object store failed.");
    await recordError(database, storageConfigId, reason, new Date(clock.now()));
  }

  close(): Promise<void> {
    return this.#buckets.close();
  }
}
