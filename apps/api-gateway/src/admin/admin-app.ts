import type { Express } from 'express';
import { createApp, jsonBody, sendFailures } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { AuditLog } from '../audit/audit-log.ts';
import { recordOperator } from '../audit/record-access.ts';
import { requireAdminToken } from './admin-access.ts';
import { adminRoutes } from './admin.routes.ts';
import type { AdminDependencies } from './admin.routes.ts';

const bodyLimitBytes = 64 * 1024;

interface AdminAudit {
  readonly audit: AuditLog;
}

/** The admin API. It listens on a separate address, so that no path of the public address reaches it. */
export function createAdminApp(
  service: Service,
  adminToken: Secret,
  dependencies: AdminDependencies & AdminAudit,
): Express {
  const app = createApp(service);
  app.use(
    '/admin/v1',
    requireAdminToken(adminToken),
    jsonBody({ limitBytes: bodyLimitBytes }),
    recordOperator(dependencies.audit),
    adminRoutes(dependencies),
  );
  app.use(...sendFailures(service));
  return app;
}
