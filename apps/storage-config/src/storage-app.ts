import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { artifactUrlRoutes, addPublicArtifactRoutes } from './artifacts/public-artifacts.routes.ts';
import { createCheckAccess } from './configurations/check-access.ts';
import type { ConfigurationSecrets } from './configurations/configuration-secrets.ts';
import { configurationRoutes } from './configurations/configurations.routes.ts';
import { botObjectRoutes } from './deletion/bot-objects.routes.ts';
import { addDirectUploadRoutes } from './direct/direct-uploads.routes.ts';
import { grantRoutes, addObjectRoutes, addReleaseRoutes } from './grants/objects.routes.ts';
import { addMultipartRoutes } from './grants/multipart.routes.ts';
import { createGrants } from './grants/grants.store.ts';
import { spilledObjectRoutes } from './spill/spilled-objects.routes.ts';
import { RoutedStore } from './team-stores/routed-store.ts';
import { createTeamStores } from './team-stores/team-stores.ts';
import type { TeamStores } from './team-stores/team-stores.ts';

export interface StorageDependencies {
  readonly database: Database;
  /** The object store of the deployment. */
  readonly own: ObjectStore;
  /** Seals the keys of teams' buckets. */
  readonly secrets: ConfigurationSecrets;
  /** The client of every connection to teams' buckets. */
  readonly http: OutboundHttp;
  readonly signingSecret: Secret;
  readonly runnerUrl: string;
  readonly maxObjectBytes: number;
  readonly artifactUrlTtlMs: number;
  /** Idle timeout of an upload; default 60 000. */
  readonly uploadIdleMs?: number;
}

export interface StorageApp {
  readonly app: Express;
  /** Routes to teams' buckets. */
  readonly store: ObjectStore;
  readonly teams: TeamStores;
}

/** Every route of this service. Its port is public: metrics and the state of dependencies are not shown here. */
export function createStorageApp(service: Service, dependencies: StorageDependencies): StorageApp {
  const { database, own } = dependencies;
  const { clock, logger } = service;
  const app = createApp(service, { showsMetrics: false, namesChecks: false });
  const teams = createTeamStores({ ...dependencies, clock, logger });
  service.onStop("connections to teams' buckets", () => teams.close());
  const store = new RoutedStore({ own, teams, database, clock });
  const grants = createGrants({ ...dependencies, clock });
  const shared = { ...dependencies, store, grants, teams };
  app.use(grantRoutes(service.auth, shared));
  addObjectRoutes(app, service, shared);
  addMultipartRoutes(app, service, shared);
  addDirectUploadRoutes(app, service, shared);
  addReleaseRoutes(app, service, shared);
  app.use(artifactUrlRoutes(service, shared), botObjectRoutes(service, shared));
  addPublicArtifactRoutes(app, service, shared);
  const checkAccess = createCheckAccess({ http: dependencies.http, agents: teams.agents });
  app.use(configurationRoutes(service, { ...shared, checkAccess }));
  app.use(spilledObjectRoutes(service.auth, shared));
  app.use(...sendFailures(service));
  return { app, store, teams };
}
