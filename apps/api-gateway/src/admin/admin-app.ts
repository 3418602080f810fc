import { createHash, timingSafeEqual } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { createApp, createClient, jsonBody, sendFailures } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import { fail } from '@rapporteur/failures';
import type { AuditLog } from '../audit/audit-log.ts';
import { recordOperator } from '../audit/record-access.ts';
import { adminRoutes } from './admin.routes.ts';
import type { AdminDependencies } from './admin.routes.ts';

const bodyLimitBytes = 64 * 1024;

export interface AdminAppDependencies extends Omit<AdminDependencies, 'operators' | 'storage'> {
  readonly audit: AuditLog;
  readonly schedulerUrl: string;
  readonly storageConfigUrl: string;
}

/** The admin API. It listens on a separate address, so that no path of the public address reaches it. */
export function createAdminApp(service: Service, adminToken: Secret, dependencies: AdminAppDependencies): Express {
  // Operators are shown why an owner refuses.
  const target = { auth: service.auth, passesRefusals: true };
  const { schedulerUrl, storageConfigUrl } = dependencies;
  const app = createApp(service);
  app.use(
    '/admin/v1',
    requireAdminToken(adminToken),
    jsonBody({ limitBytes: bodyLimitBytes }),
    recordOperator(dependencies.audit),
    adminRoutes({
      ...dependencies,
      operators: createClient(internalCalls.operators, { ...target, service: 'bot-scheduler', baseUrl: schedulerUrl }),
      storage: createClient(internalCalls.storage, { ...target, service: 'storage-config', baseUrl: storageConfigUrl }),
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
