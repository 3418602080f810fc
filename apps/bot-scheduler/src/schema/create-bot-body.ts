import { z } from 'zod';
import { runnerConfiguration } from '@rapporteur/contracts';

/** Added by calendar-sync only: the bot's event, and the newest applied change. */
const calendarOrigin = z.object({ event_id: z.uuid(), version: z.int().positive() });

/** The calendar event of a stored request; null for a bot without one. */
export function calendarOriginOf(request: Readonly<Record<string, unknown>>): z.infer<typeof calendarOrigin> | null {
  return calendarOrigin.safeParse(request['calendar']).data ?? null;
}

/*
 * The create configuration of specification 2.1. The gateway has validated it; rules of the contract (lengths, patterns,
 * ranges) are not repeated. Calendars, canaries and the legacy API send some fields only, which get the defaults of the
 * contract; timeouts are wider here because the legacy API allows more.
 */
const freeObject = z.record(z.string(), z.unknown());
const text = z.string().nullable().default(null);
const seconds = z.int().min(0).max(86_400);

export const timeoutConfig = z.object({
  waiting_room_timeout: seconds.default(600),
  no_one_joined_timeout: seconds.default(600),
  silence_timeout: seconds.default(600),
  grace_period: seconds.default(0),
  max_recording_duration: seconds.nullable().default(null),
  everyone_left_timeout: seconds.nullable().default(60),
  empty_meeting_timeout: seconds.nullable().default(1_800),
});

const zoomConfig = z.object({
  credential_id: z.string().optional(),
  credential_user_id: z.string().optional(),
  obf_token: z.string().optional(),
  obf_token_url: z.string().optional(),
  zak_token_url: z.string().optional(),
});

const loginConfig = z.object({
  credential_id: z.string().optional(),
  email_group: z.string().optional(),
  fallback: z.enum(['fail', 'anonymous']).default('fail'),
});

export const speechToText = z.object({
  /** Null: the deployment's default. */
  provider: text,
  api_key: text,
  region: text,
  fallback: text,
  custom_params: freeObject.nullable().default(null),
});

const streamingConfig = z.object({
  mode: z.enum(['audio', 'transcription']).default('audio'),
  input_url: text,
  output_url: text,
  audio_frequency: z.number().nullable().default(24_000),
  transcription: speechToText.nullable().default(null),
});

const callbackConfig = z.object({
  url: z.string(),
  method: z.enum(['POST', 'PUT']).default('POST'),
  secret: text,
});

/** Set by the gateway for the legacy API only. */
const legacySettings = z.object({
  webhook_url: text,
  api_key: text,
  /** For a calendar's bot: the API key that configured it. */
  api_key_id: text,
  deduplication_key: text,
  /** A customer's own SDK app; both or neither. */
  alpha_sdk_id: text,
  alpha_sdk_pwd: text,
});

export const createBotBody = z.object({
  bot_name: z.string(),
  bot_image: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .default(null),
  bot_image_config: z
    .object({ loop_mode: z.enum(['auto', 'bot_status']).default('auto'), image_duration: z.int().default(30) })
    .nullable()
    .default(null),
  meeting_url: z.string(),
  allow_multiple_bots: z.boolean().default(true),
  ignored_participant_names: z.array(z.string()).default([]),
  recording_mode: runnerConfiguration.shape.recording_mode.default('speaker_view'),
  entry_message: text,
  timeout_config: timeoutConfig.default(() => timeoutConfig.parse({})),
  alpha_config: zoomConfig.nullable().default(null),
  meet_config: loginConfig.nullable().default(null),
  teams_config: loginConfig.nullable().default(null),
  extra: freeObject.nullable().default(null),
  streaming_enabled: z.boolean().default(false),
  streaming_config: streamingConfig.nullable().default(null),
  transcription_enabled: z.boolean().default(false),
  transcription_config: speechToText.nullable().default(null),
  callback_enabled: z.boolean().default(false),
  callback_config: callbackConfig.nullable().default(null),
  retention_hours: z.int().min(1).max(876_000).nullable().default(null),
  legacy: legacySettings.nullable().default(null),
  calendar: calendarOrigin.nullable().default(null),
});
export type CreateBotBody = z.infer<typeof createBotBody>;
