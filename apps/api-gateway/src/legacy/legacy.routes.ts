import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { addToLog } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { acceptedOf } from '../contract/validator.ts';
import type { Owners } from '../forwarding/owners.ts';
import { keyHeader, keyOf } from '../keys/authentication.ts';
import { askSchedulerFor, dataOf, OwnerRefusal } from './ask-scheduler.ts';
import type { AskScheduler } from './ask-scheduler.ts';
import { describeList, translateListQuery } from './bots-with-metadata.ts';
import { calendarWorks } from './calendars.ts';
import { deleteData } from './delete-data.ts';
import type { CountDeletion } from './deletion-limit.store.ts';
import { translateJoin } from './join-request.ts';
import type { JoinRequest } from './join-request.ts';
import { inLegacyWords } from './legacy-words.ts';
import { describeMeetingData } from './meeting-data.ts';
import { translateRetranscribe } from './retranscribe.ts';
import { listScreenshots } from './screenshots.ts';
import { webhookSamples } from './webhook-samples.ts';

export interface LegacyParts {
  /** The legacy document: its samples are answered from it. */
  readonly document: unknown;
  readonly owners: Owners;
  readonly countDeletion: CountDeletion;
  readonly clock: Clock;
}

const createdBot = z.object({ bot_id: z.uuid() });

/** Gives the body of the answer, always a 200. */
type Work = (request: Request, ask: AskScheduler) => Promise<unknown>;

/** What an operation of the legacy document does once its guards let a request through: a translation of owners' routes. */
export function legacyWork(parts: LegacyParts): (operation: PublicOperation) => RequestHandler {
  const works = worksOf(parts);
  return ({ id }) => {
    const work = works[id];
    if (work === undefined) throw new Error(`The legacy document has ${id}, and nothing here does it.`);
    return async (request, response) => {
      try {
        response.status(200).json(await work(request, askSchedulerFor(parts.owners, request)));
      } catch (error) {
        if (!(error instanceof OwnerRefusal)) throw error;
        response.status(error.status).set(error.headers).json(inLegacyWords(error.body));
      }
    };
  };
}

function worksOf({ document, countDeletion, clock }: LegacyParts): Readonly<Record<string, Work>> {
  const samples = webhookSamples(document);
  return {
    ...calendarWorks,
    join: async (request, ask) => {
      const caller = { apiKey: apiKeyOf(request), nowMs: clock.now() };
      const { bot_id } = dataOf(createdBot, await ask(translateJoin(acceptedOf(request).body as JoinRequest, caller)));
      addToLog(request, { botId: bot_id });
      return { bot_id };
    },
    leave: async (request, ask) => {
      await ask({ method: 'POST', path: `/v2/bots/${botIdOf(request)}/leave` });
      return { ok: true };
    },
    getMeetingData: async (request, ask) => {
      const { bot_id, include_transcripts } = acceptedOf(request).query;
      const query = `include_transcripts=${String(include_transcripts)}`;
      const read = await ask({ method: 'GET', path: `/v1/meeting-data/${String(bot_id)}?${query}` });
      return describeMeetingData(read, keyOf(request).teamId);
    },
    listBotsWithMetadata: async (request, ask) =>
      describeList(await ask(translateListQuery(acceptedOf(request).query))),
    deleteData: async (request, ask) => {
      await countDeletion(keyOf(request).keyId);
      return deleteData(ask, botIdOf(request));
    },
    retranscribe: async (request, ask) => {
      const body = acceptedOf(request).body as LegacyComponents['schemas']['RetranscribeRequest'];
      await ask(translateRetranscribe(body, apiKeyOf(request)));
      return { ok: true };
    },
    getScreenshots: (request, ask) => listScreenshots(ask, botIdOf(request)),
    describeWebhooks: () => Promise.resolve(samples),
    describeBotWebhooks: () => Promise.resolve(samples),
  };
}

function botIdOf(request: Request): string {
  return String(acceptedOf(request).params['uuid']);
}

/** The text of the key that was let in. */
function apiKeyOf(request: Request): string {
  return String(request.headers[keyHeader]);
}
