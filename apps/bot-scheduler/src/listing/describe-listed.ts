import type { BotWithMetadata, ListedBot } from './list-bots.ts';

const seconds = (ms: string | null): number | null => (ms === null ? null : Math.round(Number(ms) / 1_000));
const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

/** One item of GET /v2/bots. */
export function describeListed(bot: ListedBot) {
  return {
    bot_id: bot.id,
    bot_name: bot.bot_name,
    meeting_url: bot.meeting_url,
    meeting_platform: bot.meeting_platform,
    extra: bot.extra,
    duration: seconds(bot.duration_ms),
    created_at: bot.created_at.toISOString(),
    joined_at: instant(bot.joined_at),
    exited_at: instant(bot.exited_at),
    ended_at: instant(bot.ended_at),
    status: bot.status,
    error_code: bot.phase === 'failed' ? bot.end_code : null,
    error_message: bot.phase === 'failed' ? bot.end_message : null,
    tokens: bot.tokens,
  };
}

/** One item of the legacy list, in neutral names: the gateway translates. */
export function describeWithMetadata(bot: BotWithMetadata) {
  return {
    number: Number(bot.number),
    bot_id: bot.id,
    bot_name: bot.bot_name,
    meeting_url: bot.meeting_url,
    created_at: bot.created_at.toISOString(),
    ended_at: instant(bot.ended_at),
    duration_seconds: seconds(bot.duration_ms),
    extra: bot.extra,
    access_count: Number(bot.access_count ?? 0),
    last_accessed_at: instant(bot.last_accessed_at),
    session_id: bot.run_name,
    speakers: bot.speakers.map(({ name }) => name),
    artifacts_deleted: bot.artifacts_deleted,
  };
}
