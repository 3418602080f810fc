import { Router } from 'express';
import type { Request } from 'express';
import type { Executor } from '@rapporteur/database';
import { internalCalls, transcriptFormats } from '@rapporteur/contracts';
import type { Participant } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { invalid, jsonBody, queryInteger, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { findDeletion } from '../data-deletion/delete-objects.ts';
import { findExpiry } from '../data-deletion/retention.ts';
import {
  findBotOfTeam,
  findDelayReason,
  findHistory,
  findNewestRunName,
  lockBot,
  writeBot,
} from '../lifecycle/bots.store.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import { readSecret } from '../credentials/bot-secrets.store.ts';
import { placeOf } from '../schema/read-request.ts';
import type { TranscriberClient, StorageClient } from '../service-clients.ts';
import { findScreenshots } from '../lifecycle/screenshots.store.ts';
import type { ScreenshotPlace } from '../lifecycle/screenshots.store.ts';
import type { Context } from '../schema/context.ts';
import {
  artifactKeysOf,
  describeBot,
  describeExplanation,
  describeMeetingData,
  describeStatus,
} from './describe-bot.ts';
import type { ArtifactUrls } from './describe-bot.ts';

const pageQuery = z.object({
  limit: queryInteger(1, 250).default(50),
  cursor: z.string().optional(),
});

const formats = z.enum(transcriptFormats, { error: `It is one of ${transcriptFormats.join(', ')}` });
const { speaker, speakerId: speaker_id, name } = internalCalls.transcripts.renameSpeaker.body.shape;
const renameBody = z.strictObject({ speaker, speaker_id, name });
const transcriptQuery = z.object({ format: formats.default('json') });

export interface DetailsDependencies extends Pick<Context, 'database' | 'box' | 'now'> {
  readonly signUrls: StorageClient['signUrls'];
  /** Counts an access to a bot's results. */
  readonly noteAccess: (botId: string) => void;
  readonly transcriber: TranscriberClient;
}

/**
 * `GET /internal/v2/bots/{bot_id}`, `/status`, `/transcript`, `/screenshots`, `PATCH /internal/v2/bots/{bot_id}/speakers`, and `GET /internal/v1/meeting-data/{bot_id}` for the
 * legacy API. A bot of another team is BOT_NOT_FOUND.
 */
export function detailsRoutes(auth: InternalAuth, dependencies: DetailsDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get('/internal/v2/bots/:bot_id', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const [urls, callbackSecret, deletion, expiresAt, history, { message: waitsFor }] = await Promise.all([
      signArtifacts(dependencies, bot),
      readCallbackSecret(dependencies, bot),
      bot.data_forgotten_at === null ? null : findDeletion(dependencies.database, bot.id),
      findExpiry(dependencies.database, bot.id),
      findHistory(dependencies.database, bot.id),
      dependencies.transcriber.readProgress(bot),
    ]);
    dependencies.noteAccess(bot.id);
    const beside = { callbackSecret, deletion, expiresAt, history, waitsFor, at: dependencies.now() };
    response.json({ success: true, data: describeBot(bot, urls, beside) });
  });
  router.get('/internal/v2/bots/:bot_id/status', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const [transcription, delayReason] = await Promise.all([
      dependencies.transcriber.readProgress(bot),
      bot.phase === 'queued' || bot.phase === 'waiting'
        ? findDelayReason(dependencies.database, bot.id, bot.status)
        : null,
    ]);
    response.json({ success: true, data: describeStatus(bot, { transcription, delayReason }) });
  });
  router.get('/internal/v2/bots/:bot_id/transcript', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const { format } = readInput(transcriptQuery, request.query);
    const text = bot.data_forgotten_at === null ? await dependencies.transcriber.readTranscriptText(bot, format) : null;
    if (text === null) throw await refuseTranscript(dependencies, bot);
    dependencies.noteAccess(bot.id);
    // Parsing megabytes of JSON to write them again would hold up other requests.
    response.type('json').send(`{"success":true,"data":${format === 'json' ? text : JSON.stringify(text)}}`);
  });
  router.patch(
    '/internal/v2/bots/:bot_id/speakers',
    gatewayOnly,
    jsonBody({ limitBytes: 16_384 }),
    async (request, response) => {
      const bot = await readBot(dependencies, request);
      await renameSpeaker(dependencies, bot, readInput(renameBody, request.body));
      response.json({ success: true, data: { message: 'The speaker was renamed.' } });
    },
  );
  router.get('/internal/v2/bots/:bot_id/screenshots', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    response.json({ success: true, ...(await listScreenshots(dependencies, bot.id, request.query)) });
  });
  router.get('/internal/v1/meeting-data/:bot_id', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const isWanted = request.query['include_transcripts'] === 'true';
    const [urls, runName, transcript] = await Promise.all([
      signArtifacts(dependencies, bot),
      findNewestRunName(dependencies.database, bot.id),
      isWanted ? dependencies.transcriber.readTranscript(bot) : null,
    ]);
    dependencies.noteAccess(bot.id);
    const data = { ...describeMeetingData(bot, urls, runName), transcript: transcript?.utterances ?? [] };
    response.json({ success: true, data });
  });
  return router;
}

async function readBot({ database }: DetailsDependencies, request: Request): Promise<BotRow> {
  const { botId, teamId } = placeOf(request);
  const bot = await findBotOfTeam(database, botId, teamId);
  if (bot === null) throw fail('BOT_NOT_FOUND');
  return bot;
}

/** In the transcript, then in the lists of the bot. */
async function renameSpeaker(
  dependencies: DetailsDependencies,
  bot: BotRow,
  { speaker, speaker_id: speakerId, name }: z.infer<typeof renameBody>,
): Promise<void> {
  const request = { botId: bot.id, teamId: bot.team_id, speaker, speakerId, name };
  const isForgotten = bot.data_forgotten_at !== null;
  const { isTranscribed, participant } = isForgotten
    ? { isTranscribed: false, participant: null }
    : await dependencies.transcriber.renameSpeaker(request);
  if (!isTranscribed) throw await refuseTranscript(dependencies, bot);
  if (participant === null) return;
  const renamed = (one: Participant): Participant =>
    one.id === participant.id && (one.id !== null || one.name === participant.name)
      ? { ...one, display_name: name ?? one.name }
      : one;
  await dependencies.database.transaction(async (transaction) => {
    const current = await lockBot(transaction, bot.id);
    if (current === null) throw fail('BOT_NOT_FOUND');
    const { participants, speakers } = current;
    await writeBot(transaction, bot.id, {
      participants: participants.map(renamed),
      speakers: speakers.map(renamed),
      updated_at: new Date(dependencies.now()),
    });
  });
}

/** Why the bot has no transcript, and what can be done about it. */
async function refuseTranscript({ database, transcriber, now }: DetailsDependencies, bot: BotRow): Promise<Failure> {
  const [deletion, { message: waitsFor }] = await Promise.all([
    bot.data_forgotten_at === null ? null : findDeletion(database, bot.id),
    transcriber.readProgress(bot),
  ]);
  const { transcript, actions } = describeExplanation(bot, { deletion, history: [], waitsFor, at: now() });
  const action = actions.find((one) => one.action === 'transcribe');
  const sentences = [transcript ?? 'The file of the transcript is not in the object store any more.', action?.message];
  return fail('BOT_STATUS', { message: sentences.filter((one) => one !== undefined).join(' ') });
}

async function signArtifacts({ signUrls }: DetailsDependencies, bot: BotRow): Promise<ArtifactUrls> {
  const keys = artifactKeysOf(bot);
  return Object.keys(keys).length === 0 ? {} : (await signUrls({ botId: bot.id, keys })).urls;
}

async function readCallbackSecret(dependencies: DetailsDependencies, bot: BotRow): Promise<string | null> {
  const field = bot.callback?.secretField ?? null;
  return field === null ? null : readSecret(dependencies, { teamId: bot.team_id, botId: bot.id }, field);
}

/**
 * One page of a bot's screenshots, oldest first, each with a signed link. Throws VALIDATION for a cursor of another
 * list.
 */
async function listScreenshots(
  { database, signUrls }: { readonly database: Executor; readonly signUrls: StorageClient['signUrls'] },
  botId: string,
  query: unknown,
) {
  const { limit, cursor } = readInput(pageQuery, query);
  const place = cursor === undefined ? { number: 0, backward: false } : readCursor(cursor);
  const found = await findScreenshots(database, botId, place, limit + 1);
  const more = found.length > limit;
  const page = place.backward ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const keys = Object.fromEntries(page.map(({ number, key }) => [String(number), key]));
  const urls = page.length === 0 ? {} : (await signUrls({ botId, keys })).urls;
  const [first, last] = [page[0], page.at(-1)];
  const hasNext = place.backward || more;
  const hasPrevious = place.backward ? more : cursor !== undefined;
  return {
    data: page.map(({ number, taken_at }) => ({
      screenshot_id: number,
      url: urls[String(number)],
      taken_at: taken_at.toISOString(),
    })),
    cursor: hasNext && last !== undefined ? writeCursor({ number: last.number, backward: false }) : null,
    prev_cursor: hasPrevious && first !== undefined ? writeCursor({ number: first.number, backward: true }) : null,
  };
}

/** base64 of a screenshot's number; a leading `-` marks the previous page. */
function writeCursor({ number, backward }: ScreenshotPlace): string {
  return Buffer.from(`${backward ? '-' : ''}${number}`).toString('base64');
}

function readCursor(text: string): ScreenshotPlace {
  const match = /^(-?)(\d{1,9})$/.exec(Buffer.from(text, 'base64').toString('utf8'));
  if (match === null)
    throw invalid('cursor', 'It is not a cursor of this list. Leave it out to start at the beginning.');
  return { number: Number(match[2]), backward: match[1] === '-' };
}
