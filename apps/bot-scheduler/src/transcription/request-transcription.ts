import { randomUUID } from 'node:crypto';
import { transcriptionRequested } from '@rapporteur/contracts';
import type { EventDefinition, TranscriptionChoice } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { BotRow, TranscriptionRow } from '../schema/bot-entity.ts';
import { meetingCaptions } from './engines.ts';

/** The part of an outbox used here. */
interface EventSink {
  add<T>(transaction: Executor, definition: EventDefinition<T>, data: T): Promise<unknown>;
}

export interface WantedTranscription {
  readonly requestId: string;
  readonly choice: TranscriptionChoice;
  readonly webhookUrl: string | null;
}

interface StoredChoice {
  readonly transcription_config?: {
    readonly provider: string;
    readonly region?: string | null;
    readonly custom_params?: Record<string, unknown> | null;
    readonly fallback?: string | null;
  } | null;
}

export const botKeyField = 'transcription_api_key';

/** The transcription of a bot's own settings: the fallback, where the meeting had no captions to transcribe. */
export async function ownChoiceOf(
  transaction: Executor,
  bot: BotRow,
  defaultProvider: string,
): Promise<WantedTranscription> {
  const { transcription_config: config = null } = bot.request as StoredChoice;
  const fallback = config?.provider === meetingCaptions ? (config.fallback ?? null) : null;
  if (fallback !== null && !hasCaptions(bot)) {
    const choice = { provider: fallback, region: null, customParams: {}, keyField: null };
    return { requestId: randomUUID(), choice, webhookUrl: null };
  }
  const keys = await transaction.query('select 1 from bot_secrets where bot_id = $1 and field = $2', [
    bot.id,
    botKeyField,
  ]);
  return {
    requestId: randomUUID(),
    choice: {
      provider: config?.provider ?? defaultProvider,
      region: config?.region ?? null,
      customParams: config?.custom_params ?? {},
      keyField: keys.length === 0 ? null : botKeyField,
    },
    webhookUrl: null,
  };
}

/** Whether the bot read the meeting's own captions. */
export function hasCaptions({ artifacts }: Pick<BotRow, 'artifacts'>): boolean {
  return artifacts.some(({ kind }) => kind === 'captions');
}

/** Stores the request in the bot and adds the event for transcriber, in this transaction. The bot must be locked. */
export async function requestTranscription(
  { transaction, events }: { readonly transaction: Executor; readonly events: EventSink },
  bot: BotRow,
  { requestId, choice, webhookUrl }: WantedTranscription,
): Promise<TranscriptionRow> {
  const [lease] = await transaction.query<{ fencing: number }>(
    'select max(fencing)::int as fencing from leases where bot_id = $1',
    [bot.id],
  );
  const state: TranscriptionRow = {
    requestId,
    provider: choice.provider,
    ownKey: choice.keyField !== null,
    status: 'queued',
    providerIds: [],
    message: null,
    end:
      bot.transcription?.end ?? (bot.end_code === null ? null : { code: bot.end_code, message: bot.end_message ?? '' }),
    webhookUrl,
  };
  await saveTranscription(transaction, bot.id, state);
  await events.add(transaction, transcriptionRequested, {
    requestId,
    botId: bot.id,
    teamId: bot.team_id,
    choice,
    fencing: lease?.fencing ?? 1,
    durationMs: Number(bot.duration_ms ?? 0),
    artifacts: bot.artifacts,
    participants: bot.participants,
  });
  return state;
}

export async function saveTranscription(transaction: Executor, botId: string, state: TranscriptionRow): Promise<void> {
  await transaction.query('update bots set transcription = $2::jsonb where id = $1', [botId, JSON.stringify(state)]);
}
