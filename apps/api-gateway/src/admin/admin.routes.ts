import type { internalCalls } from '@rapporteur/contracts';
import { Router } from 'express';
import type { Request } from 'express';
import { z } from 'zod';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { dateTime, fieldName, invalid } from '@rapporteur/service-runtime';
import type { InternalClient } from '@rapporteur/service-runtime';
import { auditedTeam } from '../audit/record-access.ts';
import type { Plans } from '../identity/plans.store.ts';
import type { Teams } from '../identity/teams.store.ts';
import { addKey, changeKey, listKeys, revokeKey } from '../keys/keys.store.ts';

const tokens = z.int().positive().max(1e12);
const limits = {
  requests_per_second: z.int().min(1).max(1_000),
  daily_bot_cap: z.int().min(1).max(10_000_000),
  retention_days: z.int().min(1).max(36_500),
};
const teamName = z.string().trim().min(1).max(100);
const newTeam = z.strictObject({ name: teamName, plan: z.string().optional(), tokens: tokens.optional() });
const teamChange = z
  .strictObject({
    name: teamName,
    plan: z.string(),
    requests_per_second: limits.requests_per_second.nullable(),
    daily_bot_cap: limits.daily_bot_cap.nullable(),
    retention_days: limits.retention_days.nullable(),
  })
  .partial();
const newPlan = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,49}$/),
  ...limits,
  byok_transcription: z.boolean().default(true),
});
const planChange = z.strictObject({ ...limits, byok_transcription: z.boolean() }).partial();
const keyName = z.string().trim().min(1).max(50);
const permission = z.enum(['full', 'sending']);
const expiresAt = dateTime.nullable();
const newKey = z.strictObject({
  name: keyName.default('Key'),
  permission: permission.default('full'),
  expires_at: expiresAt.default(null),
});
const keyChange = z.strictObject({ name: keyName, permission, expires_at: expiresAt }).partial();
const grant = z.strictObject({ tokens });
const legalHold = z.strictObject({ held: z.boolean() });
const id = z.uuid();

export interface AdminDependencies {
  readonly database: Database;
  readonly teams: Teams;
  readonly plans: Plans;
  readonly operators: InternalClient<typeof internalCalls.operators>;
  readonly storage: Pick<InternalClient<typeof internalCalls.storage>, 'spilledObjects'>;
}

const spilledObjectsShown = 1_000;

/**
 * Teams, plans, keys, token grants, objects that wait for a team's bucket, page packs and canaries, for operators. Returns `{success, data}`
 * or the envelope.
 */
export function adminRoutes(dependencies: AdminDependencies): Router {
  const router = Router();
  addTeamRoutes(router, dependencies);
  addPlanRoutes(router, dependencies);
  addKeyRoutes(router, dependencies);
  const { operators, storage } = dependencies;
  router.put('/bots/:bot_id/legal-hold', async (request, response) => {
    const { held } = parse(legalHold, request.body);
    const botId = idOf(request, 'bot_id');
    const { teamId } = await operators.holdBot({ botId, held });
    response.locals[auditedTeam] = teamId;
    response.json({ success: true, data: { bot_id: botId, held } });
  });
  router.post('/bots/:bot_id/move', async (request, response) => {
    const botId = idOf(request, 'bot_id');
    const { teamId } = await operators.moveBot({ botId });
    response.locals[auditedTeam] = teamId;
    response.json({ success: true, data: { bot_id: botId } });
  });
  router.get('/storage/spilled-objects', async (_request, response) => {
    const { objects } = await storage.spilledObjects({ limit: spilledObjectsShown });
    response.json({ success: true, data: objects });
  });
  router.get('/page-packs', async (_request, response) => {
    response.json({ success: true, data: await operators.pagePacks({}) });
  });
  router.get('/canaries', async (_request, response) => {
    response.json({ success: true, data: (await operators.canaries({})).canaries });
  });
  router.post('/canaries/:name/run', async (request, response) => {
    const { name } = request.params;
    await operators.runCanary({ name });
    response.status(202).json({ success: true, data: { name } });
  });
  return router;
}

function addTeamRoutes(router: Router, { teams }: AdminDependencies): void {
  router.post('/teams', async (request, response) => {
    const { name, plan, tokens: granted } = parse(newTeam, request.body);
    const created = await teams.create({ name, plan: plan ?? null, tokens: granted ?? null });
    response.status(201).json({ success: true, data: { ...created.team, key: created.key, api_key: created.keyText } });
  });
  router.get('/teams', async (_request, response) => {
    response.json({ success: true, data: await teams.list() });
  });
  router.get('/teams/:team_id', async (request, response) => {
    response.json({ success: true, data: await teams.find(idOf(request, 'team_id')) });
  });
  router.patch('/teams/:team_id', async (request, response) => {
    const change = given(parse(teamChange, request.body));
    response.json({ success: true, data: await teams.change(idOf(request, 'team_id'), change) });
  });
  router.post('/teams/:team_id/tokens', async (request, response) => {
    const granted = parse(grant, request.body);
    const grantId = await teams.grantTokens(idOf(request, 'team_id'), granted.tokens);
    response.status(201).json({ success: true, data: { grant_id: grantId, tokens: granted.tokens } });
  });
}

function addPlanRoutes(router: Router, { plans }: AdminDependencies): void {
  router.get('/plans', async (_request, response) => {
    response.json({ success: true, data: await plans.list() });
  });
  router.post('/plans', async (request, response) => {
    response.status(201).json({ success: true, data: await plans.create(parse(newPlan, request.body)) });
  });
  router.patch('/plans/:name', async (request, response) => {
    const change = given(parse(planChange, request.body));
    response.json({ success: true, data: await plans.change(request.params.name, change) });
  });
}

function addKeyRoutes(router: Router, { database }: AdminDependencies): void {
  router.post('/teams/:team_id/keys', async (request, response) => {
    const { expires_at: end, ...key } = parse(newKey, request.body);
    const { record, text } = await addKey(database, {
      teamId: idOf(request, 'team_id'),
      ...key,
      expiresAt: end === null ? null : new Date(end),
    });
    response.status(201).json({ success: true, data: { ...record, api_key: text } });
  });
  router.get('/teams/:team_id/keys', async (request, response) => {
    response.json({ success: true, data: await listKeys(database, idOf(request, 'team_id')) });
  });
  router.get('/keys', async (_request, response) => {
    response.json({ success: true, data: await listKeys(database, null) });
  });
  router.patch('/keys/:key_id', async (request, response) => {
    const change = given(parse(keyChange, request.body));
    response.json({ success: true, data: await changeKey(database, idOf(request, 'key_id'), change) });
  });
  router.delete('/keys/:key_id', async (request, response) => {
    response.json({ success: true, data: await revokeKey(database, idOf(request, 'key_id'), null) });
  });
}

function idOf(request: Request, name: string): string {
  return parse(id, request.params[name], [name]);
}

type Present<T> = { [name in keyof T]?: Exclude<T[name], undefined> };

/** Refuses a change without members: it changes nothing and would be counted as a change. */
function given<T extends object>(change: T): Present<T> {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  if (named.length === 0) throw invalid('body', 'It must say what to change.');
  return Object.fromEntries(named) as Present<T>;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, place: readonly string[] = []): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${fieldName([...place, ...issue.path])}: ${issue.message}`);
  throw fail('VALIDATION', { message: problems.slice(0, 10).join(', ') });
}
