import { botStatusChanged } from '@rapporteur/contracts';
import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { outboxRow } from '@rapporteur/event-bus';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { firstEventOrder } from '../lifecycle/event-order.ts';
import type { CallbackRow, LegacyRow, StoredRequest } from '../schema/bot-entity.ts';
import type { SealedSecret } from '../credentials/bot-secrets.store.ts';
import { calendarOriginOf } from '../schema/create-bot-body.ts';
import type { DuplicateRule } from './prepare-bot.ts';

export interface NewBot {
  readonly id: string;
  readonly teamId: string;
  readonly at: Date;
  readonly link: MeetingLink;
  readonly configuration: RunnerConfiguration;
  readonly request: StoredRequest;
  readonly extra: Record<string, unknown> | null;
  readonly callback: CallbackRow | null;
  readonly legacy: LegacyRow | null;
  readonly deduplicationKey: string | null;
  readonly duplicates: DuplicateRule;
  /** The API key of the creating request; null: a calendar created the bot. */
  readonly apiKeyId: string | null;
  /** For a scheduled bot: time and number of its scheduling; null: those of its admission. */
  readonly created: { readonly at: Date; readonly number: string } | null;
  readonly joinAt: Date | null;
  readonly reservedTokens: number;
  readonly secrets: readonly SealedSecret[];
}

export type Verdict = 'admitted' | 'unknown-team' | 'cap' | 'tokens' | 'duplicate';

export interface Admission {
  readonly verdict: Verdict;
  /** The team's daily cap. */
  readonly cap: number;
  /** Missing tokens, as text for a message. */
  readonly available: string;
  /** With verdict cap: when the next bot may be created. */
  readonly freeAt: Date | null;
  /** Events about the bot; notify the bus after the commit. */
  readonly events: readonly string[];
}

interface AdmissionRow extends Omit<Admission, 'freeAt' | 'events'> {
  readonly free_at: Date | null;
}

/**
 * Decides on one new bot and, when it is admitted, writes it in one round trip: lock, cap, tokens, duplicates, bot,
 * history, reservation, ledger, secrets and events. Any verdict but `admitted` writes nothing.
 */
export async function admit(executor: Executor, bot: NewBot): Promise<Admission> {
  const document = asJson(bot);
  const [row] = await executor.query<AdmissionRow>('select * from admit_bot_once($1::jsonb)', [
    JSON.stringify(document),
  ]);
  if (row === undefined) throw new Error('The admission statement returned no verdict.');
  return admissionOf(row, document);
}

/**
 * `admit` for several bots, sequentially and in one round trip; results are in the sequence of `bots`. Commits with the
 * transaction.
 */
export async function admitAll(transaction: Executor, bots: readonly NewBot[]): Promise<Admission[]> {
  const documents = bots.map(asJson);
  const rows = await transaction.query<AdmissionRow>(
    `select admission.* from jsonb_array_elements($1::jsonb) with ordinality as bot(document, position),
       lateral admit_bot(bot.document) as admission order by position`,
    [JSON.stringify(documents)],
  );
  return rows.map((row, index) => admissionOf(row, documents[index]));
}

/**
 * Writes a bot that counts toward no limit: one that was refused when it became due, or a canary. Returns its events.
 */
export async function insertUncountedBot(transaction: Executor, bot: NewBot): Promise<readonly string[]> {
  const document = { ...asJson(bot), reserved_tokens: 0, secrets: [] };
  await transaction.query('select insert_bot($1::jsonb, $2, null)', [JSON.stringify(document), bot.at]);
  return document.events.map(({ id }) => id);
}

const admissionOf = (
  { verdict, cap, available, free_at }: AdmissionRow,
  document: ReturnType<typeof asJson> | undefined,
): Admission => ({
  verdict,
  cap,
  available,
  freeAt: free_at,
  events: verdict === 'admitted' ? (document?.events.map(({ id }) => id) ?? []) : [],
});

/** The document that `admit_bot` and `insert_bot` of schema `bots` read. */
function asJson(bot: NewBot) {
  const { id, teamId, link } = bot;
  return {
    id,
    team_id: teamId,
    at: bot.at,
    bot_name: bot.configuration.bot_name,
    meeting_url: bot.configuration.meeting_url,
    meeting_platform: link.platform,
    meeting_id: link.meetingId,
    canonical_url: link.canonicalUrl,
    join_url: link.joinUrl,
    simulated: link.simulated,
    configuration: bot.configuration,
    request: bot.request,
    extra: bot.extra,
    callback: bot.callback,
    legacy: bot.legacy,
    deduplication_key: bot.deduplicationKey,
    duplicates: bot.duplicates,
    api_key_id: bot.apiKeyId,
    created_at: bot.created?.at ?? null,
    number: bot.created?.number ?? null,
    join_at: bot.joinAt,
    transcription_wanted: bot.request['transcription_enabled'] === true,
    reserved_tokens: bot.reservedTokens,
    secrets: bot.secrets,
    events: [statusEvent(bot)],
  };
}

/** The event of the first row of the bot's history. */
function statusEvent({ id, teamId, at, extra, legacy, request }: NewBot) {
  return outboxRow(botStatusChanged, {
    botId: id,
    teamId,
    sequence: 1,
    calendarEventId: calendarOriginOf(request)?.event_id ?? null,
    status: { code: 'queued', created_at: at.toISOString() },
    order: firstEventOrder(at),
    extra,
    legacy,
  });
}
