import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { addArtifactUrlRoutes } from './artifacts/artifact-urls.routes.ts';
import { addPublicArtifactRoutes } from './artifacts/public-artifacts.routes.ts';
import { addBotObjectRoutes } from './deletion/bot-objects.routes.ts';
import { addGrantRoutes } from './grants/grants.routes.ts';
import { addMultipartRoutes } from './grants/multipart.routes.ts';
import { createGrants } from './grants/grants.store.ts';
import { addObjectRoutes } from './grants/objects.routes.ts';
import { addReleaseRoutes } from './release/release.routes.ts';

export interface StorageDependencies {
  readonly database: Database;
  readonly store: ObjectStore;
  readonly signingSecret: Secret;
  readonly publicUrl: string;
  readonly maxObjectBytes: number;
  readonly artifactUrlTtlMs: number;
  /** An upload of which nothing arrives for this long is given up; default 60 000. */
  readonly uploadIdleMs?: number;
}

/** Every route of this service. Customers reach them with their links: what the service measures and needs is not shown here. */
export function createStorageApp(service: Service, dependencies: StorageDependencies): Express {
  const app = createApp(service, { showsMetrics: false, namesChecks: false });
  const grants = createGrants({ ...dependencies, clock: service.clock });
  addGrantRoutes(app, service, { ...dependencies, grants });
  addObjectRoutes(app, service, { ...dependencies, grants });
  addMultipartRoutes(app, service, { ...dependencies, grants });
  addReleaseRoutes(app, service, { ...dependencies, grants });
  addArtifactUrlRoutes(app, service, dependencies);
  addBotObjectRoutes(app, service, { ...dependencies, grants });
  addPublicArtifactRoutes(app, service, dependencies);
  app.use(...sendFailures(service));
  return app;
}
