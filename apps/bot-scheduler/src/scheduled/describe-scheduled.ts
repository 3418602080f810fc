import { describeZoom } from '../reading/describe-zoom.ts';
import type { ScheduledBotRow } from '../schema/entities.ts';
import { scheduleBotBody } from './schedule-bot.ts';

/** One item of GET /v2/bots/scheduled. */
export function describeListItem(row: Omit<ScheduledBotRow, 'request' | 'link' | 'legacy'>) {
  return {
    bot_id: row.id,
    bot_name: row.bot_name,
    meeting_url: row.meeting_url,
    meeting_platform: row.meeting_platform,
    join_at: row.join_at.toISOString(),
    status: row.state,
    extra: row.extra,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** `data` of GET /v2/bots/scheduled/{bot_id}: everything it was scheduled with, except keys and tokens. */
export function describeScheduled(row: ScheduledBotRow, callbackSecret: string | null) {
  const { join_at: _joinAt, ...body } = scheduleBotBody.parse({ ...row.request, join_at: row.join_at.toISOString() });
  const { streaming_config: streaming, transcription_config: transcription, callback_config: callback } = body;
  return {
    ...describeListItem(row),
    bot_image: body.bot_image,
    bot_image_config: body.bot_image_config,
    recording_mode: body.recording_mode,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    allow_multiple_bots: body.allow_multiple_bots,
    ignored_participant_names: body.ignored_participant_names,
    entry_message: body.entry_message,
    timeout_config: body.timeout_config,
    transcription_config: transcription && {
      enabled: body.transcription_enabled,
      provider: transcription.provider,
      region: transcription.region,
      fallback: transcription.fallback,
      custom_params: transcription.custom_params,
    },
    streaming_config: streaming && {
      enabled: body.streaming_enabled,
      mode: streaming.mode,
      input_url: streaming.input_url,
      output_url: streaming.output_url,
      audio_frequency: streaming.audio_frequency,
    },
    callback_config: callback && {
      enabled: body.callback_enabled,
      url: callback.url,
      method: callback.method,
      secret: callbackSecret,
    },
    alpha_config: describeZoom(body.alpha_config),
    meet_config: body.meet_config,
    teams_config: body.teams_config,
    retention_hours: body.retention_hours,
  };
}
