import { randomUUID } from 'node:crypto';
import { isFinal, reservedTokensFor } from '@rapporteur/bot-lifecycle';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid, servePublic } from '@rapporteur/service-runtime';
import type { BodyOf, InternalAuth } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import { lockBotOfTeam, refuseInStatus } from '../lifecycle/bots.store.ts';
import { botPlaceOf } from '../schema/context.ts';
import { firstRefused } from '../admission/address-rules.ts';
import type { AddressChecks } from '../admission/address-rules.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import { saveSecrets, sealSecrets } from '../credentials/bot-secrets.store.ts';
import { retranscribeKeyField } from '../credentials/split-secrets.ts';
import { transcriptionMeter } from '../credentials/bot-meters.ts';
import { findUnusableTranscription, providerOf, meetingCaptions } from '../transcription/engines.ts';
import type { TranscriptionEngines } from '../transcription/engines.ts';
import { hasCaptions, ownChoiceOf, requestTranscription } from '../transcription/request-transcription.ts';
import type { WantedTranscription } from '../transcription/request-transcription.ts';
import { refuseOwnKeys } from '../credentials/own-keys.ts';
import type { BotPlace, Context } from '../schema/context.ts';

export interface RetranscribeDependencies
  extends Pick<AddressChecks, 'checkWebhook'>, Pick<Context, 'database' | 'events' | 'box'> {
  readonly engines: TranscriptionEngines;
}

/** The gateway adds the address of the legacy API. */
type RetranscribeBody =
  | (NonNullable<BodyOf<'retranscribeBot'>> & { readonly legacy?: { readonly webhook_url: string | null } })
  | null;
type TranscriptionConfig = NonNullable<CreateBotBody['transcription_config']>;

const action = 'be transcribed again';

/**
 * Transcribes a stored recording again. Throws BOT_NOT_FOUND, BOT_STATUS while the bot or an earlier transcription is
 * not over or without a recording, NOT_CONFIGURED_YET, VALIDATION and INSUFFICIENT_TOKENS.
 */
export async function retranscribe(
  dependencies: RetranscribeDependencies,
  place: BotPlace,
  body: RetranscribeBody,
): Promise<void> {
  const { database, events, engines } = dependencies;
  const given = body?.transcription ?? null;
  const config = given && { ...given, provider: given.provider ?? null };
  const webhookUrl = body?.legacy?.webhook_url ?? null;
  const refused = firstRefused(dependencies.checkWebhook, [{ field: 'webhook_url', url: webhookUrl }]);
  if (refused !== null) throw refused;
  await database.transaction(async (transaction) => {
    const bot = await lockBotOfTeam(transaction, place, action);
    refuseUnready(bot);
    const refusal = findUnusableTranscription(engines, config, 'transcription');
    if (refusal !== null) throw refusal;
    if (config?.provider === meetingCaptions && !hasCaptions(bot)) {
      throw invalid(
        'transcription.provider',
        'The bot read no captions in its meeting, and they cannot be had later. Use another provider.',
      );
    }
    if (config?.api_key) await refuseOwnKeys(transaction, place.teamId, { transcription_api_key: config.api_key });
    const provider = providerOf(engines, config);
    const wanted = config === null ? await ownChoiceOf(transaction, bot, provider) : choose(provider, config);
    if (wanted.choice.provider !== meetingCaptions && !hasAudio(bot)) throw withoutRecording(bot);
    await refuseWithoutTokens(transaction, bot, wanted);
    if (config !== null && config.api_key !== null && wanted.choice.keyField !== null) {
      const secrets = { [wanted.choice.keyField]: config.api_key };
      await saveSecrets(transaction, place, sealSecrets(dependencies.box, place, secrets));
    }
    await requestTranscription({ transaction, events }, bot, { ...wanted, webhookUrl });
  });
  events.notify();
}

function choose(provider: string, config: TranscriptionConfig): WantedTranscription {
  const requestId = randomUUID();
  const { region, custom_params, api_key } = config;
  const keyField = api_key === null ? null : retranscribeKeyField(requestId);
  return { requestId, choice: { provider, region, customParams: custom_params ?? {}, keyField }, webhookUrl: null };
}

function refuseUnready(bot: BotRow): void {
  if (!isFinal(bot.phase)) throw refuseInStatus(bot.id, bot.status, action);
  const status = bot.transcription?.status;
  if (status === 'queued' || status === 'processing') {
    throw fail('BOT_STATUS', { message: `Bot ${bot.id} is being transcribed already; wait for its end.` });
  }
  if (hasAudio(bot) || hasCaptions(bot)) return;
  throw withoutRecording(bot);
}

function hasAudio({ artifacts }: BotRow): boolean {
  return artifacts.some(({ kind }) => kind === 'audio' || kind === 'audio_m4a');
}

function withoutRecording(bot: BotRow): Error {
  const why = bot.data_forgotten_at !== null ? 'its data was deleted' : 'it has no recording';
  return fail('BOT_STATUS', { message: `Bot ${bot.id} is ${bot.status} and ${why}; it cannot ${action}.` });
}

async function refuseWithoutTokens(
  transaction: Executor,
  bot: BotRow,
  { choice }: Pick<WantedTranscription, 'choice'>,
): Promise<void> {
  if (choice.provider === meetingCaptions) return;
  const needed = reservedTokensFor([transcriptionMeter(choice.keyField === null ? 'deployment' : 'own')]);
  const [account] = await transaction.query<{ available: number }>(
    'select (balance - reserved)::float8 as available from token_accounts where team_id = $1',
    [bot.team_id],
  );
  const available = account?.available ?? 0;
  if (available >= needed) return;
  throw fail('INSUFFICIENT_TOKENS', {
    message: `A transcription needs ${needed} tokens and the team has ${available} left that are not reserved.`,
  });
}

/** The API of repeated transcriptions. */
export function retranscribeRoutes(auth: InternalAuth, dependencies: RetranscribeDependencies): Router {
  return servePublic(auth, {
    retranscribeBot: async ({ body, ...call }) => {
      await retranscribe(dependencies, botPlaceOf(call), body);
      return { data: { message: 'The transcription is under way.' } };
    },
  });
}
