import { randomUUID } from 'node:crypto';
import { botRedeliveryRequested, transcriptionEnded, transcriptionStarted } from '@rapporteur/contracts';
import type { Artifact } from '@rapporteur/contracts';
import { isEndCode, tokensOf } from '@rapporteur/bot-lifecycle';
import type { TokenCharge } from '@rapporteur/bot-lifecycle';
import type { Database, Executor } from '@rapporteur/database';
import type { z } from 'zod';
import { stopTogether } from '@rapporteur/event-bus';
import type { Bus, Inbox } from '@rapporteur/event-bus';
import { lockBot, addProviderTime } from '../lifecycle/bots.store.ts';
import { endedData, moveBot } from '../lifecycle/move-bot.ts';
import type { BotRow, TranscriptionRow } from '../schema/bot-entity.ts';
import { transcriptionMeter } from '../credentials/bot-meters.ts';
import { settleTokens } from '../credentials/token-accounts.store.ts';
import { meetingCaptions } from '../transcription/engines.ts';
import { saveTranscription } from '../transcription/request-transcription.ts';
import type { EventSink, Context } from '../schema/context.ts';

export type TranscriptionEnd = z.output<typeof transcriptionEnded.data>;

interface Applying {
  readonly transaction: Executor;
  readonly events: EventSink;
  readonly at: Date;
}

/** Records that a provider processes the bot's newest request. */
export async function noteTranscriptionStarted(
  executor: Executor | Database,
  { botId, requestId }: { readonly botId: string; readonly requestId: string },
): Promise<void> {
  await executor.query(
    `update bots set transcription = transcription || '{"status": "processing"}'::jsonb
     where id = $1 and transcription->>'requestId' = $2 and transcription->>'status' = 'queued'`,
    [botId, requestId],
  );
}

/**
 * Applies the end of a request: the first transcription ends the bot; a repeated one replaces its transcripts and is
 * charged separately. Results of an older request, or for deleted data, change nothing.
 */
export async function applyTranscriptionEnd(applying: Applying, ended: TranscriptionEnd): Promise<void> {
  const { transaction } = applying;
  const bot = await lockBot(transaction, ended.botId);
  const state = bot?.transcription ?? null;
  if (bot === null || state === null || state.requestId !== ended.requestId) return;
  if (state.status === 'done' || state.status === 'error') return;
  const isDone = ended.outcome === 'completed' && bot.data_forgotten_at === null;
  const next: TranscriptionRow = {
    ...state,
    status: isDone ? 'done' : 'error',
    providerIds: ended.providerIds,
    message: ended.message,
  };
  await saveTranscription(transaction, bot.id, next);
  // A provider without jobs, as the local engine is, gives no ids; captions are read in the meeting.
  const isSent = ended.providerIds.length > 0 || (isDone && state.provider !== meetingCaptions);
  if (isSent) await addProviderTime(transaction, bot.id, Number(bot.duration_ms ?? 0));
  const artifacts = isDone ? withTranscripts(bot.artifacts, ended.artifacts) : bot.artifacts;
  const current = { ...bot, transcription: next };
  if (bot.phase === 'transcribing') return await endFirst(applying, current, { ended, artifacts });
  if (bot.data_forgotten_at === null) await endRepeated(applying, current, { isDone, artifacts });
}

const transcriptKinds: ReadonlySet<Artifact['kind']> = new Set([
  'transcription',
  'raw_transcription',
  'transcription_vtt',
  'transcription_srt',
]);

function withTranscripts(held: readonly Artifact[], fresh: readonly Artifact[]): Artifact[] {
  return [...held.filter(({ kind }) => !transcriptKinds.has(kind)), ...fresh];
}

async function endFirst(
  applying: Applying,
  bot: BotRow,
  { ended, artifacts }: { readonly ended: TranscriptionEnd; readonly artifacts: readonly Artifact[] },
): Promise<void> {
  const input =
    ended.outcome === 'completed'
      ? ({ kind: 'transcribed' } as const)
      : ({ kind: 'transcription-failed', ...(ended.message === null ? {} : { message: ended.message }) } as const);
  const moved = await moveBot(applying, bot, input, { at: applying.at, artifacts });
  if (!moved.moved) throw new Error(`Bot ${bot.id} refused ${input.kind}: ${moved.why}`);
}

async function endRepeated(
  applying: Applying,
  bot: BotRow,
  { isDone, artifacts }: { readonly isDone: boolean; readonly artifacts: readonly Artifact[] },
): Promise<void> {
  const { transaction, events, at } = applying;
  const reported = isDone ? await improve(applying, bot, artifacts) : bot;
  await transaction.query('update bots set updated_at = $2 where id = $1', [bot.id, at]);
  const ended = endedData(reported);
  await events.add(transaction, botRedeliveryRequested, {
    requestId: randomUUID(),
    to: { kind: 'webhook-endpoints' },
    ended,
  });
  if (bot.callback === null) return;
  await events.add(transaction, botRedeliveryRequested, {
    requestId: randomUUID(),
    to: { kind: 'callback', callback: bot.callback },
    ended,
  });
}

/** Stores the new transcript; a bot that failed only with TRANSCRIPTION_FAILED becomes completed. */
async function improve(applying: Applying, bot: BotRow, artifacts: readonly Artifact[]): Promise<BotRow> {
  const end = bot.transcription?.end ?? null;
  if (bot.end_code === 'TRANSCRIPTION_FAILED' && end !== null && isEndCode(end.code)) {
    const input = { kind: 'retranscribed', end: { code: end.code, message: end.message, recorded: true } } as const;
    const moved = await moveBot(applying, bot, input, { at: applying.at, artifacts });
    if (!moved.moved) throw new Error(`Bot ${bot.id} refused ${input.kind}: ${moved.why}`);
    return moved.bot;
  }
  const tokens = await chargeAgain(applying, bot);
  const [row] = await applying.transaction.query<BotRow>(
    'update bots set artifacts = $2::jsonb, tokens = $3::jsonb where id = $1 returning *',
    [bot.id, JSON.stringify(artifacts), JSON.stringify(tokens)],
  );
  return row ?? bot;
}

/** Charges the transcription only: the recording is paid already. */
async function chargeAgain({ transaction, at }: Applying, bot: BotRow): Promise<TokenCharge | null> {
  if (bot.tokens === null || bot.transcription?.provider === meetingCaptions) return bot.tokens;
  const meter = transcriptionMeter(bot.transcription?.ownKey === true ? 'own' : 'deployment');
  const charged = tokensOf(meter, Number(bot.duration_ms ?? 0));
  await settleTokens(transaction, {
    teamId: bot.team_id,
    botId: bot.id,
    reserved: 0,
    charged,
    note: 'transcribed again',
    requestId: bot.transcription?.requestId,
    at,
  });
  const { tokens } = bot;
  return { ...tokens, [meter]: tokens[meter] + charged, total: tokens.total + charged };
}

interface TranscriptDependencies extends Pick<Context, 'events' | 'now'> {
  readonly bus: Pick<Bus, 'consume'>;
  readonly inbox: Inbox;
}

/** Applies the reports of the transcriber. */
export async function consumeTranscripts(dependencies: TranscriptDependencies): Promise<{ stop(): Promise<void> }> {
  const { bus, inbox, events, now } = dependencies;
  const consumers = await Promise.all([
    bus.consume({
      consumer: 'bot-scheduler',
      subject: transcriptionStarted.type,
      handle: inbox.handle(transcriptionStarted, (transaction, { data }) =>
        noteTranscriptionStarted(transaction, data),
      ),
    }),
    bus.consume({
      consumer: 'bot-scheduler',
      subject: transcriptionEnded.type,
      handle: inbox.handle(
        transcriptionEnded,
        (transaction, { data }) => applyTranscriptionEnd({ transaction, events, at: new Date(now()) }, data),
        { after: () => events.notify() },
      ),
    }),
  ]);
  return stopTogether(consumers);
}
