import type { Express } from 'express';
import { createApp, jsonBody, sendFailures } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import { requireAdminToken } from './admin-access.ts';
import { adminRoutes } from './admin.routes.ts';
import type { AdminDependencies } from './admin.routes.ts';

const bodyLimitBytes = 64 * 1024;

/** The admin API. It listens on an address of its own, so that no path of the public one can ever lead to it. */
export function createAdminApp(service: Service, adminToken: Secret, dependencies: AdminDependencies): Express {
  const app = createApp(service);
  app.use(
    '/admin/v1',
    requireAdminToken(adminToken),
    jsonBody({ limitBytes: bodyLimitBytes }),
    adminRoutes(dependencies),
  );
  app.use(...sendFailures(service));
  return app;
}
