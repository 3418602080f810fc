import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { storableText } from '@rapporteur/database';
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
      // Express empties the parameters of a request that a later handler refuses.
      const target = Object.fromEntries(
        Object.entries(request.params).map(([name, value]) => [
          name,
          storableText(String(value).slice(0, longestTarget)),
        ]),
      );
      response.on('close', () => {
        const { teamId, keyId, user } = keyOf(request);
        const who =
          user === null ? { keyId, user: null, userId: null } : { keyId: null, user: user.name, userId: user.id };
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

/** Member of `response.locals`: the team of a change that neither the path nor the response names. */
export const auditedTeam = 'auditedTeam';

/** Records every change that an operator makes through the admin API, under the team it affects. */
export function recordOperator(audit: AuditLog): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET') return next();
    let teamOfResponse: unknown;
    const send = response.json.bind(response);
    response.json = (body: { readonly data?: { readonly team_id?: string } } | undefined) => {
      teamOfResponse = body?.data?.team_id;
      return send(body);
    };
    response.on('close', () => {
      const named = /^\/teams\/([^/]+)/.exec(request.path)?.[1] ?? response.locals[auditedTeam] ?? teamOfResponse;
      const { success: isId, data: teamId } = z.uuid().safeParse(named);
      if (!isId) return;
      const target = { path: storableText(request.path.slice(0, longestTarget)) };
      const action = `admin.${request.method} ${(request.route as { path?: string } | undefined)?.path ?? request.path}`;
      audit.note({ teamId, keyId: null, user: null, userId: null, action, target, ...outcomeOf(request, response) });
    });
    next();
  };
}
