import type { ArtifactKind } from '@rapporteur/contracts';
import type { BotRow } from '../schema/rows.ts';

/** The artifacts that a bot's details show, one URL each; what has no file is null. */
export const shownArtifacts = [
  'video',
  'audio',
  'transcription',
  'raw_transcription',
  'diarization',
  'chat_messages',
] as const satisfies readonly ArtifactKind[];

export type ArtifactUrls = Partial<Record<(typeof shownArtifacts)[number], string>>;

/** Object keys, by name, that the details need URLs for. Empty when there is nothing or it was deleted. */
export function artifactKeysOf(bot: BotRow): Record<string, string> {
  if (bot.artifacts_deleted) return {};
  const shown = bot.artifacts.filter(({ kind }) => (shownArtifacts as readonly string[]).includes(kind));
  return Object.fromEntries(shown.map(({ kind, key }) => [kind, key]));
}

/** `data` of GET /v2/bots/{bot_id}: specification 2.2. */
export function describeBot(bot: BotRow, urls: ArtifactUrls) {
  const failed = bot.phase === 'failed';
  return {
    bot_id: bot.id,
    bot_name: bot.bot_name,
    status: bot.status,
    created_at: bot.created_at.toISOString(),
    joined_at: bot.joined_at?.toISOString() ?? null,
    exited_at: bot.exited_at?.toISOString() ?? null,
    duration_seconds: bot.duration_ms === null ? null : Math.round(Number(bot.duration_ms) / 1_000),
    error_code: failed ? bot.end_code : null,
    error_message: failed ? bot.end_message : null,
    end_reason: bot.end_code,
    meeting_url: bot.meeting_url,
    meeting_platform: bot.meeting_platform,
    recording_mode: bot.configuration.recording_mode,
    participants: bot.participants,
    speakers: bot.speakers,
    ...Object.fromEntries(shownArtifacts.map((kind) => [kind, urls[kind] ?? null])),
    artifacts_deleted: bot.artifacts_deleted,
    transcription_provider: null,
    transcription_ids: null,
    tokens: bot.tokens,
    callback_config: null,
    alpha_config: null,
    meet_login_credential_id: null,
    extra: bot.extra,
  };
}

/** `data` of GET /v2/bots/{bot_id}/status. */
export function describeStatus(bot: BotRow) {
  return {
    bot_id: bot.id,
    status: bot.status,
    transcription_status: bot.transcription_wanted ? 'not-started' : 'not-applicable',
    updated_at: bot.updated_at.toISOString(),
  };
}
