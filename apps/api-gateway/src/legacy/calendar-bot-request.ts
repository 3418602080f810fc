import { invalid } from '@rapporteur/service-runtime';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import { botOf, frequencyNameOf } from './join-request.ts';
import type { LegacySettings, TranslatedBot } from './join-request.ts';
import type { StoredEvent } from './calendar-events.ts';

type Schemas = LegacyComponents['schemas'];
export type CalendarBotRequest = Schemas['CalendarBot'];
export type CalendarBotChange = Schemas['CalendarBotChange'];
export type CalendarBotBody = Omit<TranslatedBot, 'meeting_url' | 'allow_multiple_bots' | 'legacy'> & {
  /** The scope of duplicates: calendar-sync, not this request, creates the bot. */
  readonly legacy: LegacySettings & { readonly api_key_id: string };
};

/** The API key of the request. */
export interface UsedKey {
  readonly id: string;
  readonly text: string;
}

const none = {
  alpha_access_token_url: null,
  alpha_obf_token: null,
  alpha_obf_token_url: null,
  alpha_obf_token_user_id: null,
  alpha_sdk_id: null,
  alpha_sdk_pwd: null,
  reserved: false,
  start_time: null,
} as const;

/** A bot of a calendar event as a v2 body. Throws VALIDATION for fields that contradict each other. */
export function translateCalendarBot(given: CalendarBotRequest, key: UsedKey): CalendarBotBody {
  const streaming = {
    input: given.streaming_input,
    output: given.streaming_output,
    audio_frequency: given.streaming_audio_frequency,
  };
  if (streaming.audio_frequency !== null && streaming.input === null && streaming.output === null)
    throw invalid('streaming_audio_frequency', 'It needs streaming_input or streaming_output: where to?');
  const {
    meeting_url: _url,
    allow_multiple_bots: _multiple,
    ...bot
  } = botOf(
    {
      ...none,
      bot_name: given.bot_name,
      meeting_url: '',
      bot_image: given.bot_image,
      deduplication_key: given.deduplication_key,
      entry_message: given.enter_message,
      extra: given.extra,
      recording_mode: given.recording_mode,
      speech_to_text: given.speech_to_text,
      streaming,
      transcription_custom_parameters: given.transcription_custom_parameters,
      webhook_url: given.webhook_url,
      automatic_leave: {
        waiting_room_timeout: given.waiting_room_timeout,
        noone_joined_timeout: given.noone_joined_timeout,
        silence_timeout: given.silence_timeout,
      },
    },
    key.text,
  );
  return { ...bot, legacy: { ...bot.legacy, api_key_id: key.id } };
}

/** The v2 fields that each legacy field maps to. */
const leadsTo: Readonly<Record<keyof CalendarBotChange, readonly (keyof CalendarBotBody)[]>> = {
  bot_name: ['bot_name'],
  extra: ['extra'],
  bot_image: ['bot_image'],
  deduplication_key: ['legacy'],
  enter_message: ['entry_message'],
  noone_joined_timeout: ['timeout_config'],
  waiting_room_timeout: ['timeout_config'],
  silence_timeout: ['timeout_config'],
  recording_mode: ['recording_mode'],
  speech_to_text: ['transcription_enabled', 'transcription_config'],
  transcription_custom_parameters: ['transcription_enabled', 'transcription_config'],
  streaming_audio_frequency: ['streaming_enabled', 'streaming_config'],
  streaming_input: ['streaming_enabled', 'streaming_config'],
  streaming_output: ['streaming_enabled', 'streaming_config'],
  webhook_url: ['legacy'],
};

/** Only the v2 fields that the change affects, merged with their stored members. */
export function translateCalendarBotChange(
  change: CalendarBotChange,
  stored: NonNullable<StoredEvent['bot']>,
  key: UsedKey,
): Partial<CalendarBotBody> {
  const { timeout_config: timeouts, streaming_config: streaming } = stored;
  const before: CalendarBotRequest = {
    bot_name: stored.bot_name,
    extra: {},
    bot_image: null,
    deduplication_key: stored.deduplication_key,
    enter_message: null,
    noone_joined_timeout: timeouts?.no_one_joined_timeout ?? null,
    waiting_room_timeout: timeouts?.waiting_room_timeout ?? null,
    silence_timeout: timeouts?.silence_timeout ?? null,
    recording_mode: null,
    speech_to_text: null,
    streaming_audio_frequency: null,
    streaming_input: streaming?.input_url ?? null,
    streaming_output: streaming?.output_url ?? null,
    transcription_custom_parameters: null,
    webhook_url: stored.webhook_url,
  };
  const merged = { ...before, ...change };
  const streams = merged.streaming_input !== null || merged.streaming_output !== null;
  if (streams && change.streaming_audio_frequency === undefined)
    merged.streaming_audio_frequency = frequencyNameOf(streaming?.audio_frequency);
  const whole = translateCalendarBot(merged, key);
  const touched = (Object.keys(change) as (keyof CalendarBotChange)[]).flatMap((field) => leadsTo[field]);
  return Object.fromEntries(
    Object.entries(whole).filter(([field]) => touched.includes(field as keyof CalendarBotBody)),
  );
}
