import type { Request, RequestHandler, Response } from 'express';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { requestIdOf } from '@rapporteur/service-runtime';
import { keyOf } from '../keys/authentication.ts';
import type { AuditLog } from './audit-log.ts';

/** Polled operations that change nothing and return nothing of a meeting: not recorded. */
const unrecorded: ReadonlySet<string> = new Set(['getBotStatus', 'preflightBot', 'dryRunCalendarRule']);

/** Records every change, and every read of one object, under the key that `authenticate` accepted. */
export function recordAccess(audit: AuditLog, { id, method, path }: PublicOperation): RequestHandler[] {
  const isRead = method === 'get';
  if (unrecorded.has(id) || (isRead && !path.includes('{'))) return [];
  return [
    (request, response, next) => {
      response.on('close', () => {
        const { teamId, keyId, user } = keyOf(request);
        const target = Object.fromEntries(
          Object.entries(request.params).map(([name, value]) => [name, String(value).slice(0, longestTarget)]),
        );
        const who = user === null ? { keyId, user: null } : { keyId: null, user: user.name };
        const entry = { teamId, ...who, action: id, target, ...outcomeOf(request, response) };
        if (isRead) audit.noteRead(entry);
        else audit.note(entry);
      });
      next();
    },
  ];
}

const longestTarget = 200;

function outcomeOf(request: Request, response: Response) {
  return { status: response.statusCode, requestId: requestIdOf(request) };
}

/** Records every change that an operator makes through the admin API, under the team it affects. */
export function recordOperator(audit: AuditLog): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET') return next();
    let teamId = /^\/teams\/([\da-f-]{36})(?:\/|$)/i.exec(request.path)?.[1];
    const send = response.json.bind(response);
    response.json = (body: { readonly data?: { readonly team_id?: string } } | undefined) => {
      teamId ??= body?.data?.team_id;
      return send(body);
    };
    response.on('close', () => {
      if (teamId === undefined) return;
      const target: Record<string, string> = { path: request.path };
      const action = `admin.${request.method} ${(request.route as { path?: string } | undefined)?.path ?? request.path}`;
      audit.note({ teamId, keyId: null, user: null, action, target, ...outcomeOf(request, response) });
    });
    next();
  };
}
