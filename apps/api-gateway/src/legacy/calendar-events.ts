import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import { z } from 'zod';
import { legacyProviderOf } from './speech-to-text.ts';

type Schemas = LegacyComponents['schemas'];

const text = z.string().nullish();
const storedBot = z.looseObject({
  bot_name: z.string(),
  bot_image: z.union([z.string(), z.array(z.string())]).nullish(),
  entry_message: text,
  extra: z.record(z.string(), z.unknown()).nullish(),
  recording_mode: z.string().default('speaker_view'),
  timeout_config: z
    .object({
      waiting_room_timeout: z.number().nullish(),
      no_one_joined_timeout: z.number().nullish(),
      silence_timeout: z.number().nullish(),
    })
    .nullish(),
  streaming_config: z.object({ input_url: text, output_url: text, audio_frequency: z.number().nullish() }).nullish(),
  speech_to_text_provider: z.string().nullable(),
  webhook_url: z.string().nullable(),
  deduplication_key: z.string().nullable(),
});

/** An event as calendar-sync returns it for the legacy API. */
export const storedEvent = z.object({
  event_id: z.string(),
  calendar_id: z.string(),
  series_id: z.string(),
  event_type: z.enum(['one_off', 'recurring']),
  title: z.string(),
  meeting_url: z.string().nullable(),
  start_time: z.string(),
  end_time: z.string(),
  updated_at: z.string(),
  provider_event_id: z.string(),
  provider_series_id: z.string().nullable(),
  is_organizer: z.boolean(),
  is_cancelled: z.boolean(),
  attendees: z.array(z.object({ email: z.string(), name: z.string().nullable() })),
  raw: z.record(z.string(), z.unknown()),
  bot: storedBot.nullable(),
});
export type StoredEvent = z.infer<typeof storedEvent>;

export function describeEvent(event: StoredEvent): Schemas['CalendarEvent'] {
  return {
    uuid: event.event_id,
    calendar_uuid: event.calendar_id,
    name: event.title,
    meeting_url: event.meeting_url,
    start_time: event.start_time,
    end_time: event.end_time,
    last_updated_at: event.updated_at,
    provider_id: event.provider_event_id,
    recurring_event_id: event.provider_series_id,
    is_organizer: event.is_organizer,
    is_recurring: event.event_type === 'recurring',
    deleted: event.is_cancelled,
    attendees: event.attendees,
    raw: event.raw,
    ...(event.bot === null ? {} : { bot_param: describeBot(event.bot) }),
  };
}

function describeBot(bot: NonNullable<StoredEvent['bot']>): Schemas['CalendarBotParam'] {
  const { timeout_config: timeouts, streaming_config: streaming, bot_image: image } = bot;
  const frequency = streaming?.audio_frequency ?? null;
  return {
    bot_image: (Array.isArray(image) ? image[0] : image) ?? null,
    bot_name: bot.bot_name,
    deduplication_key: bot.deduplication_key,
    enter_message: bot.entry_message ?? null,
    extra: bot.extra ?? {},
    noone_joined_timeout: timeouts?.no_one_joined_timeout ?? null,
    recording_mode: bot.recording_mode,
    speech_to_text_api_key: null,
    speech_to_text_provider:
      bot.speech_to_text_provider === null ? null : legacyProviderOf(bot.speech_to_text_provider),
    streaming_audio_frequency: frequency === null ? null : `${frequency / 1_000}khz`,
    streaming_input: streaming?.input_url ?? null,
    streaming_output: streaming?.output_url ?? null,
    waiting_room_timeout: timeouts?.waiting_room_timeout ?? null,
    webhook_url: bot.webhook_url,
  };
}
