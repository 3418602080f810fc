import { Router } from 'express';
import type { Request } from 'express';
import { z } from 'zod';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addKey, listKeys, revokeKey } from '../keys/keys.store.ts';
import type { Teams } from '../identity/teams.store.ts';

const tokens = z.number().positive().max(1e9);
const newTeam = z.strictObject({
  name: z.string().trim().min(1).max(100),
  plan: z.string().optional(),
  tokens: tokens.optional(),
});
const newKey = z.strictObject({
  name: z.string().trim().min(1).max(50).default('Key'),
  permission: z.enum(['full', 'sending']).default('full'),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
});
const grant = z.strictObject({ tokens });
const id = z.uuid();

export interface AdminParts {
  readonly database: Database;
  readonly teams: Teams;
}

/** Teams, keys and token grants, for operators. Answers `{success, data}` or the envelope. */
export function adminRoutes({ database, teams }: AdminParts): Router {
  const router = Router();
  router.post('/teams', async (request, response) => {
    const { name, plan, tokens: granted } = parse(newTeam, request.body, 'body');
    const created = await teams.create({ name, plan: plan ?? null, tokens: granted ?? null });
    response.status(201).json({ success: true, data: { ...created.team, key: created.key, api_key: created.keyText } });
  });
  router.get('/teams', async (_request, response) => {
    response.json({ success: true, data: await teams.list() });
  });
  router.post('/teams/:team_id/keys', async (request, response) => {
    const { name, permission, expires_at: expiresAt } = parse(newKey, request.body, 'body');
    const { record, text } = await addKey(database, {
      teamId: idOf(request, 'team_id'),
      name,
      permission,
      expiresAt: expiresAt == null ? null : new Date(expiresAt),
    });
    response.status(201).json({ success: true, data: { ...record, api_key: text } });
  });
  router.get('/teams/:team_id/keys', async (request, response) => {
    response.json({ success: true, data: await listKeys(database, idOf(request, 'team_id')) });
  });
  router.get('/keys', async (_request, response) => {
    response.json({ success: true, data: await listKeys(database, null) });
  });
  router.delete('/keys/:key_id', async (request, response) => {
    response.json({ success: true, data: await revokeKey(database, idOf(request, 'key_id')) });
  });
  router.post('/teams/:team_id/tokens', async (request, response) => {
    const granted = parse(grant, request.body, 'body');
    const grantId = await teams.grantTokens(idOf(request, 'team_id'), granted.tokens);
    response.status(201).json({ success: true, data: { grant_id: grantId, tokens: granted.tokens } });
  });
  return router;
}

function idOf(request: Request, name: string): string {
  return parse(id, request.params[name], `path/${name}`);
}

function parse<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${[place, ...issue.path].join('/')}: ${issue.message}`);
  throw fail('VALIDATION', { message: problems.slice(0, 10).join(', ') });
}
