import { wrapLegacyExtra } from '@rapporteur/contracts';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import type { components } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import type { SchedulerCall } from './request-scheduler.ts';
import { speechToTextOf } from './speech-to-text.ts';

export type JoinRequest = LegacyComponents['schemas']['JoinRequest'];
type CreateBot = components['schemas']['CreateBot'];
type ZoomConfig = NonNullable<CreateBot['alpha_config']>;

/** Settings of a legacy bot that v2 does not have, for bot-scheduler. */
export interface LegacySettings {
  readonly webhook_url: string | null;
  /** Sent as a header of the webhooks to `webhook_url`; stored only with one. */
  readonly api_key: string | null;
  readonly deduplication_key: string | null;
  /** A customer's own SDK app. */
  readonly alpha_sdk_id: string | null;
  readonly alpha_sdk_pwd: string | null;
}

/** A v2 body; bot-scheduler fills in what the legacy API does not have. */
export type TranslatedBot = Partial<Omit<CreateBot, 'timeout_config'>> &
  Pick<CreateBot, 'bot_name' | 'meeting_url'> & { readonly timeout_config: Timeouts; readonly legacy: LegacySettings };
type Timeouts = Partial<CreateBot['timeout_config']>;

export interface Caller {
  /** The text of the request's key. */
  readonly apiKey: string;
  /** Epoch ms. */
  readonly nowMs: number;
}

/** The request to bot-scheduler that replaces POST /bots/. Throws what can be validated here. */
export function translateJoin(given: JoinRequest, { apiKey, nowMs }: Caller): SchedulerCall {
  const bot = botOf(given, apiKey);
  const join_at = joinAtOf(given.start_time, nowMs);
  return join_at === null
    ? { method: 'POST', path: '/v2/bots', body: bot }
    : { method: 'POST', path: '/v2/bots/scheduled', body: { ...bot, join_at } };
}

/** The bot as a v2 body, for any route. */
export function botOf(given: JoinRequest, apiKey: string): TranslatedBot {
  return {
    bot_name: given.bot_name,
    bot_image: given.bot_image,
    bot_image_config: null,
    meeting_url: given.meeting_url,
    // The legacy rule for duplicates applies, which `legacy` selects.
    allow_multiple_bots: true,
    ignored_participant_names: [],
    recording_mode: given.recording_mode ?? 'speaker_view',
    entry_message: given.entry_message,
    timeout_config: timeoutsOf(given.automatic_leave),
    alpha_config: zoomConfigOf(given),
    meet_config: null,
    teams_config: null,
    extra: wrapLegacyExtra(given.extra),
    ...streamingOf(given.streaming),
    ...transcriptionOf(given),
    callback_enabled: false,
    callback_config: null,
    legacy: {
      webhook_url: given.webhook_url,
      api_key: given.webhook_url === null ? null : apiKey,
      deduplication_key: given.deduplication_key,
      ...ownSdkOf(given),
    },
  };
}

/** The largest time a Date can hold, in seconds. */
const latestSeconds = 8_640_000_000_000;

/** Null: now. The owner limits how far ahead it may be. */
function joinAtOf(startTime: number | null, nowMs: number): string | null {
  if (startTime === null || startTime * 1_000 <= nowMs) return null;
  return new Date(Math.min(startTime, latestSeconds) * 1_000).toISOString();
}

const defaultSeconds = 600;

function timeoutsOf(given: JoinRequest['automatic_leave']): Timeouts {
  return {
    waiting_room_timeout: given?.waiting_room_timeout ?? defaultSeconds,
    no_one_joined_timeout: given?.noone_joined_timeout ?? defaultSeconds,
    silence_timeout: given?.silence_timeout ?? defaultSeconds,
    grace_period: 0,
    max_recording_duration: null,
    everyone_left_timeout: 60,
    empty_meeting_timeout: 1_800,
  };
}

const frequencies = { '16khz': 16_000, '24khz': 24_000 } as const;
const frequencyNames = Object.keys(frequencies) as (keyof typeof frequencies)[];

/** The word for a frequency in Hz; null: the first API generation has none. */
export function frequencyNameOf(hz: number | null | undefined): keyof typeof frequencies | null {
  return frequencyNames.find((name) => frequencies[name] === hz) ?? null;
}

function streamingOf(given: JoinRequest['streaming']): Pick<CreateBot, 'streaming_enabled' | 'streaming_config'> {
  if (given === null || (given.input === null && given.output === null)) {
    return { streaming_enabled: false, streaming_config: null };
  }
  return {
    streaming_enabled: true,
    streaming_config: {
      mode: 'audio',
      input_url: given.input,
      output_url: given.output,
      audio_frequency: frequencies[given.audio_frequency ?? '16khz'],
      transcription: null,
    },
  };
}

function transcriptionOf(given: JoinRequest): Pick<CreateBot, 'transcription_enabled' | 'transcription_config'> {
  const customParams = given.transcription_custom_parameters;
  if (given.speech_to_text === null) {
    if (customParams === null) return { transcription_enabled: false, transcription_config: null };
    throw invalid('transcription_custom_parameters', 'They need speech_to_text: which provider are they for?');
  }
  return {
    transcription_enabled: true,
    transcription_config: { ...speechToTextOf(given.speech_to_text), custom_params: customParams },
  };
}

function zoomConfigOf(given: JoinRequest): ZoomConfig | null {
  const config: Record<keyof ZoomConfig, string | null> = {
    credential_id: null,
    credential_user_id: given.alpha_obf_token_user_id,
    obf_token: given.alpha_obf_token,
    obf_token_url: given.alpha_obf_token_url,
    zak_token_url: given.alpha_access_token_url,
  };
  const set = Object.entries(config).filter(([, value]) => value !== null);
  return set.length === 0 ? null : Object.fromEntries(set);
}

function ownSdkOf(given: JoinRequest): Pick<LegacySettings, 'alpha_sdk_id' | 'alpha_sdk_pwd'> {
  const { alpha_sdk_id, alpha_sdk_pwd } = given;
  if ((alpha_sdk_id === null) !== (alpha_sdk_pwd === null)) throw fail('SET_ALPHA_ID_AND_PWD_TOGETHER');
  return { alpha_sdk_id, alpha_sdk_pwd };
}
