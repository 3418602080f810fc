import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { addToLog } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { acceptedOf } from '../contract/validator.ts';
import type { Owners } from '../forwarding/owners.ts';
import { keyHeader, keyOf } from '../keys/authentication.ts';
import { requestSchedulerFor, dataOf, OwnerRefusal } from './request-scheduler.ts';
import type { RequestScheduler, SchedulerCall } from './request-scheduler.ts';
import { describeList, translateListQuery } from './bots-with-metadata.ts';
import { calendarWorks } from './calendars.ts';
import { deleteData } from './delete-data.ts';
import type { CountDeletion } from './deletion-limit.store.ts';
import { translateJoin } from './join-request.ts';
import type { JoinRequest, LegacySettings } from './join-request.ts';
import { inLegacyWords } from './legacy-words.ts';
import { describeMeetingData } from './meeting-data.ts';
import { speechToTextOf } from './speech-to-text.ts';

const screenshotPage = z.object({
  data: z.array(z.object({ url: z.string(), taken_at: z.string() })),
  cursor: z.string().nullable(),
});
const screenshotsAtOnce = 250;
const pagesAtMost = 20;

const sampledEvent = z.object({
  post: z.object({
    summary: z.string(),
    description: z.string(),
    requestBody: z.object({
      content: z.object({ 'application/json': z.object({ example: z.record(z.string(), z.unknown()) }) }),
    }),
  }),
});
const documentShape = z.object({ webhooks: z.record(z.string(), sampledEvent) });

export interface LegacyDependencies {
  /** The legacy document; its samples are responses of the API. */
  readonly document: unknown;
  readonly owners: Owners;
  readonly countDeletion: CountDeletion;
  readonly clock: Clock;
}

const createdBot = z.object({ bot_id: z.uuid() });

/** Returns the response body; the status is always 200. */
type Work = (request: Request, sendRequest: RequestScheduler) => Promise<unknown>;

/** Handlers of the legacy document, called after its guards: translations of owners' routes. */
export function legacyWork(dependencies: LegacyDependencies): (operation: PublicOperation) => RequestHandler {
  const works = worksOf(dependencies);
  return ({ id }) => {
    const work = works[id];
    if (work === undefined) throw new Error(`The legacy document has ${id}, which no handler serves.`);
    return async (request, response) => {
      try {
        response.status(200).json(await work(request, requestSchedulerFor(dependencies.owners, request)));
      } catch (error) {
        if (!(error instanceof OwnerRefusal)) throw error;
        response.status(error.status).set(error.headers).json(inLegacyWords(error.body));
      }
    };
  };
}

function worksOf({ document, countDeletion, clock }: LegacyDependencies): Readonly<Record<string, Work>> {
  const samples = webhookSamples(document);
  return {
    ...calendarWorks,
    join: async (request, sendRequest) => {
      const caller = { apiKey: apiKeyOf(request), nowMs: clock.now() };
      const { bot_id } = dataOf(
        createdBot,
        await sendRequest(translateJoin(acceptedOf(request).body as JoinRequest, caller)),
      );
      addToLog(request, { botId: bot_id });
      return { bot_id };
    },
    leave: async (request, sendRequest) => {
      await sendRequest({ method: 'POST', path: `/v2/bots/${botIdOf(request)}/leave` });
      return { ok: true };
    },
    getMeetingData: async (request, sendRequest) => {
      const { bot_id, include_transcripts } = acceptedOf(request).query;
      const query = `include_transcripts=${String(include_transcripts)}`;
      const read = await sendRequest({ method: 'GET', path: `/v1/meeting-data/${String(bot_id)}?${query}` });
      return describeMeetingData(read, keyOf(request).teamId);
    },
    listBotsWithMetadata: async (request, sendRequest) =>
      describeList(await sendRequest(translateListQuery(acceptedOf(request).query))),
    deleteData: async (request, sendRequest) => {
      await countDeletion(keyOf(request).keyId);
      return deleteData(sendRequest, botIdOf(request));
    },
    retranscribe: async (request, sendRequest) => {
      const body = acceptedOf(request).body as LegacyComponents['schemas']['RetranscribeRequest'];
      await sendRequest(translateRetranscribe(body, apiKeyOf(request)));
      return { ok: true };
    },
    getScreenshots: (request, sendRequest) => listScreenshots(sendRequest, botIdOf(request)),
    describeWebhooks: () => Promise.resolve(samples),
    describeBotWebhooks: () => Promise.resolve(samples),
  };
}

function botIdOf(request: Request): string {
  return String(acceptedOf(request).params['uuid']);
}

/** The text of the accepted key. */
function apiKeyOf(request: Request): string {
  return String(request.headers[keyHeader]);
}

/** `legacy` is set only when the request names its own webhook address. */
function translateRetranscribe(
  { bot_uuid, speech_to_text, webhook_url }: LegacyComponents['schemas']['RetranscribeRequest'],
  apiKey: string,
): SchedulerCall {
  const legacy: Pick<LegacySettings, 'webhook_url' | 'api_key'> = { webhook_url, api_key: apiKey };
  return {
    method: 'POST',
    path: `/v2/bots/${bot_uuid}/retranscribe`,
    body: {
      transcription: speech_to_text === null ? null : speechToTextOf(speech_to_text),
      ...(webhook_url === null ? {} : { legacy }),
    },
  };
}

/** Every event of a document with its sample. Throws when an event has none. */
function webhookSamples(document: unknown): LegacyComponents['schemas']['WebhookSamples'] {
  const { webhooks } = documentShape.parse(document);
  return {
    events: Object.entries(webhooks).map(([name, { post }]) => ({
      event: name,
      description: `${post.summary}. ${post.description.trim()}`,
      sample: post.requestBody.content['application/json'].example,
    })),
  };
}

/** Every screenshot of a bot: the legacy response is not paginated, unlike v2's. */
async function listScreenshots(
  sendRequest: RequestScheduler,
  botId: string,
): Promise<LegacyComponents['schemas']['Screenshot'][]> {
  const frames: z.infer<typeof screenshotPage>['data'] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < pagesAtMost; pages += 1) {
    const query = new URLSearchParams({ limit: String(screenshotsAtOnce), ...(cursor === null ? {} : { cursor }) });
    const read = screenshotPage.parse(
      await sendRequest({ method: 'GET', path: `/v2/bots/${botId}/screenshots?${query.toString()}` }),
    );
    frames.push(...read.data);
    ({ cursor } = read);
    if (cursor === null) break;
  }
  return frames.map(({ taken_at, url }) => ({ date: taken_at, url }));
}
