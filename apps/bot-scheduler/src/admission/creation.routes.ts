import { createHash, randomUUID } from 'node:crypto';
import type { Request, Router } from 'express';
import type { z } from 'zod';
import { addToLog, callerOf, readInput, servePublic, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { NewBotPlace } from '../lifecycle/bots.store.ts';
import type { AdmittedBot, AdmissionDependencies } from './admit-bot.ts';
import { admitBot } from './admit-bot.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { createInBatch } from './batch.ts';

export interface Creation<B> {
  readonly body: z.ZodType<B>;
  readonly create: (place: NewBotPlace, body: B) => Promise<AdmittedBot>;
  /** Log message for a bot that joins without the login it requested. */
  readonly withoutLogin: string;
}

interface CreationCall {
  readonly teamId: string;
  readonly body: unknown;
  readonly request: Request;
}

/** Handlers of bots of one kind: one bot, and a batch. */
export function creationHandlers<B>(creation: Creation<B>) {
  return {
    one: async ({ request, body }: CreationCall) => {
      const bot_id = await createOne(creation, request, { body, index: 0 });
      addToLog(request, { botId: bot_id });
      return { data: { bot_id } };
    },
    /** The gateway has checked each item of the body. */
    batch: async ({ request, body }: CreationCall) => {
      const outcome = await createInBatch(
        body,
        (item, index) => createOne(creation, request, { body: item, index }),
        (failure) => addToLog(request, { err: failure.cause ?? failure }),
      );
      addToLog(request, { created: outcome.data.length, refused: outcome.errors.length });
      return outcome;
    },
  };
}

async function createOne<B>(
  creation: Creation<B>,
  request: Request,
  { body, index }: { readonly body: unknown; readonly index: number },
): Promise<string> {
  const place = { teamId: teamOf(request), botId: newBotId(request, index), apiKeyId: callerOf(request).keyId };
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

/** The API of new bots that join immediately. */
export function admissionRoutes(auth: InternalAuth, dependencies: AdmissionDependencies): Router {
  const { one, batch } = creationHandlers({
    body: createBotBody,
    create: (place, body) => admitBot(dependencies, place, body),
    withoutLogin: 'No login is free; the bot joins anonymously.',
  });
  return servePublic(auth, { createBot: one, createBots: batch });
}
