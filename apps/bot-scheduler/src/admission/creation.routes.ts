import { createHash, randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Request } from 'express';
import type { z } from 'zod';
import { addToLog, callerOf, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { NewBotPlace } from '../lifecycle/bots.store.ts';
import type { AdmittedBot, AdmissionDependencies } from './admit-bot.ts';
import { admitBot } from './admit-bot.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { createInBatch } from './batch.ts';

export const bodyLimitBytes = 1_048_576;
/** 5 MiB at the edge, plus the members that the gateway adds to each item. */
const batchLimitBytes = 8 * 1_048_576;

export interface Creation<B> {
  /** Path of the collection. */
  readonly root: string;
  readonly body: z.ZodType<B>;
  readonly create: (place: NewBotPlace, body: B) => Promise<AdmittedBot>;
  /** Log message for a bot that joins without the login it requested. */
  readonly withoutLogin: string;
}

/** Bots of one kind: `POST {root}` 201 {success, data: {bot_id}}; `POST {root}/batch` 201 {success, data, errors}. */
export function creationRoutes<B>(auth: InternalAuth, creation: Creation<B>): Router {
  const { root } = creation;
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.post(root, gatewayOnly, jsonBody({ limitBytes: bodyLimitBytes }), async (request, response) => {
    const bot_id = await createOne(creation, request, { body: request.body, index: 0 });
    addToLog(request, { botId: bot_id });
    response.status(201).json({ success: true, data: { bot_id } });
  });
  router.post(`${root}/batch`, gatewayOnly, jsonBody({ limitBytes: batchLimitBytes }), async (request, response) => {
    const outcome = await createInBatch(
      request.body,
      (body, index) => createOne(creation, request, { body, index }),
      (failure) => addToLog(request, { err: failure.cause ?? failure }),
    );
    addToLog(request, { created: outcome.data.length, refused: outcome.errors.length });
    response.status(201).json({ success: true, ...outcome });
  });
  return router;
}

async function createOne<B>(
  creation: Creation<B>,
  request: Request,
  { body, index }: { readonly body: unknown; readonly index: number },
): Promise<string> {
  const teamId = teamOf(request);
  addToLog(request, { teamId });
  const place = { teamId, botId: newBotId(request, index), apiKeyId: callerOf(request).keyId };
  const { botId, anonymousFallback } = await creation.create(place, readInput(creation.body, body));
  if (anonymousFallback) addToLog(request, { login: creation.withoutLogin });
  return botId;
}

/**
 * The id of a new bot: random, unless the request carries an Idempotency-Key. Then every attempt derives the same id,
 * and an attempt after the creation finds the bot. `index`: position in a batch.
 */
function newBotId(request: Request, index = 0): string {
  const requestId = request.headers['x-idempotency-id'];
  if (typeof requestId !== 'string' || requestId === '') return randomUUID();
  const bytes = createHash('sha256')
    .update(JSON.stringify([teamOf(request), requestId, index]))
    .digest();
  // Version 8 of RFC 9562: custom bits.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Bots that join immediately, below `/internal/v2/bots`. */
export function admissionRoutes(auth: InternalAuth, dependencies: AdmissionDependencies): Router {
  return creationRoutes(auth, {
    root: '/internal/v2/bots',
    body: createBotBody,
    create: (place, body) => admitBot(dependencies, place, body),
    withoutLogin: 'No login is free; the bot joins anonymously.',
  });
}
