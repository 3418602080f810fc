import { Router } from 'express';
import type { Executor } from '@rapporteur/database';
import type { Participant } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { addToLog, idOf, invalid, servePublic, teamOf } from '@rapporteur/service-runtime';
import type { BodyOf, InternalAuth, QueryOf } from '@rapporteur/service-runtime';
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
import type { TranscriberClient, StorageClient } from '../service-clients.ts';
import { findScreenshots } from '../lifecycle/screenshots.store.ts';
import type { ScreenshotPlace } from '../lifecycle/screenshots.store.ts';
import { botPlaceOf } from '../schema/context.ts';
import type { BotPlace, Context } from '../schema/context.ts';
import {
  artifactKeysOf,
  describeBot,
  describeExplanation,
  describeMeetingData,
  describeStatus,
} from './describe-bot.ts';
import type { ArtifactUrls } from './describe-bot.ts';

export interface DetailsDependencies extends Pick<Context, 'database' | 'box' | 'now'> {
  readonly signUrls: StorageClient['signUrls'];
  /** Counts an access to a bot's results. */
  readonly noteAccess: (botId: string) => void;
  readonly transcriber: TranscriberClient;
}

/** The API of a bot's details and results. A bot of another team is BOT_NOT_FOUND. */
export function detailsRoutes(auth: InternalAuth, dependencies: DetailsDependencies): Router {
  const { database, transcriber } = dependencies;
  const details = servePublic(auth, {
    getBot: async (call) => {
      const bot = await readBot(dependencies, botPlaceOf(call));
      const [urls, callbackSecret, deletion, expiresAt, history, { message: waitsFor }] = await Promise.all([
        signArtifacts(dependencies, bot),
        readCallbackSecret(dependencies, bot),
        bot.data_forgotten_at === null ? null : findDeletion(database, bot.id),
        findExpiry(database, bot.id),
        findHistory(database, bot.id),
        transcriber.readProgress(bot),
      ]);
      dependencies.noteAccess(bot.id);
      const beside = { callbackSecret, deletion, expiresAt, history, waitsFor, at: dependencies.now() };
      return { data: describeBot(bot, urls, beside) };
    },
    getBotStatus: async (call) => {
      const bot = await readBot(dependencies, botPlaceOf(call));
      const isDelayed = bot.phase === 'queued' || bot.phase === 'waiting';
      const [transcription, delayReason] = await Promise.all([
        transcriber.readProgress(bot),
        isDelayed ? findDelayReason(database, bot.id, bot.status) : null,
      ]);
      return { data: describeStatus(bot, { transcription, delayReason }) };
    },
    getBotTranscript: async ({ query: { format }, response, ...call }) => {
      const bot = await readBot(dependencies, botPlaceOf(call));
      const text = bot.data_forgotten_at === null ? await transcriber.readTranscriptText(bot, format) : null;
      if (text === null) throw await refuseTranscript(dependencies, bot);
      dependencies.noteAccess(bot.id);
      // Parsing megabytes of JSON to write them again would hold up other requests.
      response.type('json').send(`{"success":true,"data":${format === 'json' ? text : JSON.stringify(text)}}`);
      return null;
    },
    renameSpeaker: async ({ body, ...call }) => {
      await renameSpeaker(dependencies, await readBot(dependencies, botPlaceOf(call)), body);
      return { data: { message: 'The speaker was renamed.' } };
    },
    listBotScreenshots: async ({ query, ...call }) =>
      listScreenshots(dependencies, (await readBot(dependencies, botPlaceOf(call))).id, query),
  });
  return Router().use(details, meetingDataRoutes(auth, dependencies));
}

/** `GET /internal/v1/meeting-data/{bot_id}` for the legacy API. */
function meetingDataRoutes(auth: InternalAuth, dependencies: DetailsDependencies): Router {
  const path = '/internal/v1/meeting-data/:bot_id';
  return Router().get(path, auth.require(['api-gateway']), async (request, response) => {
    const place = { teamId: teamOf(request), botId: idOf(request, 'bot_id', 'BOT_NOT_FOUND') };
    addToLog(request, place);
    const bot = await readBot(dependencies, place);
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
}

async function readBot({ database }: DetailsDependencies, { botId, teamId }: BotPlace): Promise<BotRow> {
  const bot = await findBotOfTeam(database, botId, teamId);
  if (bot === null) throw fail('BOT_NOT_FOUND');
  return bot;
}

/** In the transcript, then in the lists of the bot. */
async function renameSpeaker(
  dependencies: DetailsDependencies,
  bot: BotRow,
  { speaker, speaker_id: speakerId, name }: BodyOf<'renameSpeaker'>,
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
  { limit, cursor }: QueryOf<'listBotScreenshots'>,
) {
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
