import {
  describeIntegrity,
  linkedArtifacts,
  linkedParticipantAudio,
  linksOf,
  participantFilesOf,
  participantLinkName,
} from '@rapporteur/contracts';
import { degradedMessage, explainBot } from '@rapporteur/bot-lifecycle';
import type { DelayReason } from '@rapporteur/bot-lifecycle';
import { describeDeletion } from '../data-deletion/delete-objects.ts';
import { timeoutsWithoutEffect } from '../admission/body-rules.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { ObjectDeletionRow } from '../schema/entities.ts';
import type { HistoryRow } from '../lifecycle/bots.store.ts';
import { describeDelay, transcriptionIdsOf } from '../lifecycle/move-bot.ts';
import type { TranscriptionProgress } from '../service-clients.ts';
import { describeZoom } from './describe-zoom.ts';

/** URLs by the names of `artifactKeysOf`. */
export type ArtifactUrls = Readonly<Partial<Record<string, string>>>;

/** Object keys, by name, that the details need URLs for. Empty when there are no artifacts or they were deleted. */
export function artifactKeysOf(bot: BotRow): Record<string, string> {
  if (bot.data_forgotten_at !== null) return {};
  const shown = bot.artifacts.filter(({ kind }) => (linkedArtifacts as readonly string[]).includes(kind));
  return Object.fromEntries([
    ...shown.map(({ kind, key }) => [kind, key]),
    ...participantFilesOf(bot.artifacts).map(({ key }) => [participantLinkName(key), key]),
  ]) as Record<string, string>;
}

export interface ShownBeside {
  readonly callbackSecret: string | null;
  readonly deletion: ObjectDeletionRow | null;
  /** When the team's retention deletes the data. */
  readonly expiresAt: Date | null;
  readonly history: readonly HistoryRow[];
  /** What its running transcription waits for; null: it does not wait. */
  readonly waitsFor: string | null;
  /** Epoch ms. */
  readonly at: number;
}

/** `data` of GET /v2/bots/{bot_id}: specification 2.2. */
export function describeBot(bot: BotRow, urls: ArtifactUrls, beside: ShownBeside) {
  const { callbackSecret, deletion, expiresAt, history } = beside;
  const request = bot.request as ShownRequest;
  return {
    bot_id: bot.id,
    bot_name: bot.bot_name,
    status: bot.status,
    created_at: bot.created_at.toISOString(),
    joined_at: instant(bot.joined_at),
    exited_at: instant(bot.exited_at),
    duration_seconds: durationSeconds(bot),
    ...errorOf(bot),
    end_reason: bot.end_code,
    explanation: describeExplanation(bot, beside),
    status_changes: history.map(describeChange),
    failure_evidence: evidenceOf(bot),
    meeting_url: bot.meeting_url,
    meeting_platform: bot.meeting_platform,
    recording_mode: bot.configuration.recording_mode,
    settings_without_effect: timeoutsWithoutEffect(request.timeout_config, bot.meeting_platform),
    page_pack_version: bot.page_pack_version,
    participants: bot.participants,
    speakers: bot.speakers,
    ...linksOf(urls),
    participant_audio: linkedParticipantAudio(participantFilesOf(bot.artifacts), urls),
    integrity_summary: bot.data_forgotten_at === null ? describeIntegrity(bot.integrity) : null,
    artifacts_deleted: bot.data_forgotten_at !== null && deletion === null,
    artifacts_expire_at: instant(expiresAt),
    data_deletion: describeDeletion(deletion),
    transcription_provider: bot.transcription?.provider ?? requestedProvider(request),
    transcription_ids: transcriptionIdsOf(bot),
    tokens: bot.tokens,
    callback_config: describeCallback(request, callbackSecret),
    alpha_config: describeZoom(request.alpha_config),
    meet_login_credential_id: bot.configuration.login?.credentialId ?? null,
    extra: bot.extra,
  };
}

/** A meeting is taken to be over an hour after the bot left it. */
const overMs = 3_600_000;
const waiting: ReadonlySet<string> = new Set(['in_waiting_room', 'in_waiting_for_host']);
const endsOfMeetings: ReadonlySet<string | null> = new Set(['NO_ATTENDEES', 'MEETING_ENDED_PREMATURELY']);

export function describeExplanation(
  bot: BotRow,
  { deletion, history, waitsFor, at }: Pick<ShownBeside, 'deletion' | 'history' | 'waitsFor' | 'at'>,
) {
  const { phase, status, transcription, data_forgotten_at: forgottenAt } = bot;
  const current = history.findLast(({ code }) => code === status);
  const since = waiting.has(status) ? (history.find(({ code }) => waiting.has(code))?.at ?? null) : null;
  const kinds = new Set<string>(bot.artifacts.map(({ kind }) => kind));
  const leftAt = bot.exited_at ?? bot.ended_at;
  const explanation = explainBot({
    phase,
    status,
    delayReason: (current?.delay_reason ?? null) as DelayReason | null,
    isDegraded: bot.degraded !== null,
    end: bot.end_code === null ? null : { code: bot.end_code, message: bot.end_message ?? '' },
    data: forgottenAt === null ? 'kept' : deletion === null ? 'deleted' : 'being_deleted',
    files: kinds.has('video') ? 'video' : kinds.has('audio_m4a') ? 'audio' : 'none',
    recordedMs: bot.duration_ms === null ? null : Number(bot.duration_ms),
    integrity: bot.integrity,
    transcription: {
      wanted: bot.transcription_wanted,
      status: transcription?.status ?? null,
      message: waitsFor ?? transcription?.message ?? null,
      isStored: kinds.has('transcription'),
    },
    isMeetingOver: endsOfMeetings.has(bot.end_code) || (leftAt !== null && at - leftAt.getTime() > overMs),
  });
  const limitMs = bot.configuration.timeout_config.waiting_room_timeout * 1_000;
  return {
    ...explanation,
    waits_since: instant(since),
    waits_until: since === null ? null : new Date(since.getTime() + limitMs).toISOString(),
  };
}

function describeChange({ code, at, start_time, error_message, delay_reason }: HistoryRow) {
  return {
    code,
    created_at: at.toISOString(),
    ...(start_time === null ? {} : { start_time: Number(start_time) }),
    ...(error_message === null ? {} : { error_message }),
    ...describeDelay(delay_reason as DelayReason | null),
  };
}

/** The part of the create body that the details show; it is stored without secrets. */
interface ShownRequest {
  readonly timeout_config?: Readonly<Record<string, unknown>>;
  readonly transcription_enabled?: boolean;
  readonly transcription_config?: { readonly provider: string } | null;
  readonly callback_enabled?: boolean;
  readonly callback_config?: { readonly url: string; readonly method: 'POST' | 'PUT' } | null;
  readonly alpha_config?: Readonly<Record<string, unknown>> | null;
}

function requestedProvider({ transcription_enabled, transcription_config }: ShownRequest): string | null {
  return transcription_enabled === true ? (transcription_config?.provider ?? null) : null;
}

function describeCallback({ callback_enabled, callback_config }: ShownRequest, secret: string | null) {
  if (callback_config === null || callback_config === undefined) return null;
  const { url, method } = callback_config;
  return { enabled: callback_enabled === true, url, method, secret };
}

function errorOf(bot: BotRow) {
  const failed = bot.phase === 'failed';
  return { error_code: failed ? bot.end_code : null, error_message: failed ? bot.end_message : null };
}

/** A completed bot does not show the evidence of an earlier failed attempt. */
function evidenceOf({ phase, failure_evidence: evidence }: BotRow) {
  if (phase !== 'failed' || evidence === null) return null;
  const { rule, state, title, host, steps } = evidence;
  const shownSteps = steps.map(({ step, atMs }) => ({ step, at: new Date(atMs).toISOString() }));
  return { rule, state, page_title: title, page_host: host, steps: shownSteps };
}

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

function durationSeconds({ duration_ms }: BotRow): number | null {
  return duration_ms === null ? null : Math.round(Number(duration_ms) / 1_000);
}

/** `data` of the legacy API's meeting data, in neutral names: the gateway translates. */
export function describeMeetingData(bot: BotRow, urls: ArtifactUrls, runName: string | null) {
  return {
    number: Number(bot.number),
    bot_id: bot.id,
    bot_name: bot.bot_name,
    status: bot.status,
    meeting_url: bot.meeting_url,
    meeting_platform: bot.meeting_platform,
    created_at: bot.created_at.toISOString(),
    joined_at: instant(bot.joined_at),
    exited_at: instant(bot.exited_at),
    ended_at: instant(bot.ended_at),
    join_at: instant(bot.join_at),
    duration_seconds: durationSeconds(bot),
    ...errorOf(bot),
    leave_requested: bot.leave_requested_at !== null,
    session_id: runName,
    participants: bot.participants,
    speakers: bot.speakers,
    ...linksOf(urls),
    artifacts_deleted: bot.artifacts_deleted,
    deduplication_key: bot.deduplication_key,
    webhook_url: bot.legacy?.webhookUrl ?? null,
    extra: bot.extra,
    request: bot.request,
  };
}

export interface StatusFacts {
  readonly transcription: TranscriptionProgress;
  readonly delayReason: DelayReason | null;
}

/** `data` of GET /v2/bots/{bot_id}/status. */
export function describeStatus(bot: BotRow, { transcription, delayReason }: StatusFacts) {
  return {
    bot_id: bot.id,
    status: bot.status,
    transcription_status: bot.transcription?.status ?? (bot.transcription_wanted ? 'not-started' : 'not-applicable'),
    captions: bot.captions,
    transcription_progress: transcription.progress,
    transcription_message: transcription.message,
    updated_at: bot.updated_at.toISOString(),
    ...describeDelay(delayReason),
    ...(bot.degraded === null || bot.phase !== 'recording'
      ? {}
      : { degraded: bot.degraded, degraded_message: degradedMessage }),
  };
}
