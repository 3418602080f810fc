import { createHash, timingSafeEqual } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import { createApp, createRequestSender, jsonBody, sendFailures } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import { fail } from '@rapporteur/failures';
import type { AuditLog } from '../audit/audit-log.ts';
import { recordOperator } from '../audit/record-access.ts';
import { adminRoutes } from './admin.routes.ts';
import type { AdminDependencies } from './admin.routes.ts';

const bodyLimitBytes = 64 * 1024;

export interface AdminAppDependencies extends Omit<AdminDependencies, 'requestScheduler' | 'requestStorageConfig'> {
  readonly audit: AuditLog;
  readonly schedulerUrl: string;
  readonly storageConfigUrl: string;
}

/** The admin API. It listens on a separate address, so that no path of the public address reaches it. */
export function createAdminApp(service: Service, adminToken: Secret, dependencies: AdminAppDependencies): Express {
  // Operators are shown why an owner refuses.
  const requestTo = (name: string, baseUrl: string) =>
    createRequestSender({ auth: service.auth, service: name, baseUrl, passesRefusals: true });
  const app = createApp(service);
  app.use(
    '/admin/v1',
    requireAdminToken(adminToken),
    jsonBody({ limitBytes: bodyLimitBytes }),
    recordOperator(dependencies.audit),
    adminRoutes({
      ...dependencies,
      requestScheduler: requestTo('bot-scheduler', dependencies.schedulerUrl),
      requestStorageConfig: requestTo('storage-config', dependencies.storageConfigUrl),
    }),
  );
  app.use(...sendFailures(service));
  return app;
}

/** Authorizes requests that carry the deployment's admin token; any other request is FORBIDDEN. */
function requireAdminToken(token: Secret): RequestHandler {
  const wanted = digest(token.reveal());
  return (request, _response, next) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), wanted)) {
      throw fail('FORBIDDEN', {
        message: 'The admin API wants this deployment\'s admin token as "Authorization: Bearer <token>".',
      });
    }
    next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
