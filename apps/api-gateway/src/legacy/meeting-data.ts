import { z } from 'zod';
import { botTranscript, shownLegacyExtra } from '@rapporteur/contracts';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import { dataOf } from './request-scheduler.ts';
import { legacyProviderOf } from './speech-to-text.ts';

type MeetingData = LegacyComponents['schemas']['MeetingData'];
type BotRecord = LegacyComponents['schemas']['BotRecord'];

const time = z.string().nullable();
const text = z.string().nullable().default(null);
const seconds = z.int().default(600);

/** The stored create configuration, without secrets. */
const configuration = z.object({
  bot_image: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .default(null),
  entry_message: text,
  recording_mode: z.enum(['speaker_view', 'gallery_view', 'audio_only']),
  timeout_config: z.object({
    waiting_room_timeout: seconds,
    no_one_joined_timeout: seconds,
    silence_timeout: seconds,
  }),
  transcription_enabled: z.boolean().default(false),
  transcription_config: z
    .object({ provider: z.string(), custom_params: z.record(z.string(), z.unknown()).nullable().default(null) })
    .nullable()
    .default(null),
  streaming_enabled: z.boolean().default(false),
  streaming_config: z
    .object({ input_url: text, output_url: text, audio_frequency: z.number().nullable().default(null) })
    .nullable()
    .default(null),
  alpha_config: z
    .object({ credential_user_id: text, obf_token_url: text, zak_token_url: text })
    .nullable()
    .default(null),
});

const meetingData = z.object({
  number: z.coerce.number().int(),
  bot_id: z.uuid(),
  bot_name: z.string(),
  meeting_url: z.string(),
  created_at: z.string(),
  joined_at: time,
  exited_at: time,
  ended_at: time,
  join_at: time,
  duration_seconds: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  leave_requested: z.boolean(),
  session_id: z.string().nullable(),
  extra: z.record(z.string(), z.unknown()).nullable(),
  video: z.string().nullable(),
  audio: z.string().nullable(),
  diarization: z.string().nullable(),
  deduplication_key: z.string().nullable(),
  webhook_url: z.string().nullable(),
  request: configuration,
  transcript: botTranscript.shape.utterances.default([]),
});
type Known = z.infer<typeof meetingData>;

/** The first generation returned an empty string for a missing file; its clients require a string. */
export function describeMeetingData(body: unknown, teamId: string): MeetingData {
  const known = dataOf(meetingData, body);
  return {
    mp4: known.video ?? '',
    audio: known.audio ?? '',
    duration: known.duration_seconds ?? 0,
    speaker_diarization_file: known.diarization ?? '',
    speaker_diarization_file_network: '',
    meeting_participants_file: '',
    bot_data: { bot: describeBot(known, teamId), event_uuid: null, transcripts: transcriptsOf(known) },
  };
}

/** The first generation numbered utterances and words. */
function transcriptsOf({ transcript, number }: Known): MeetingData['bot_data']['transcripts'] {
  let words = 0;
  return transcript.map(({ speaker, speakerId, language, start, end, words: said }, index) => ({
    id: index + 1,
    bot_id: number,
    speaker,
    start_time: start,
    end_time: end,
    lang: language,
    user_id: speakerId,
    words: said.map((word) => ({
      id: (words += 1),
      bot_id: number,
      start_time: word.start,
      end_time: word.end,
      text: word.word,
      user_id: speakerId,
    })),
  }));
}

function describeBot(known: Known, teamId: string): BotRecord {
  return {
    ...identityOf(known, teamId),
    ...courseOf(known),
    ...settingsOf(known),
    ...speechOf(known.request),
    ...streamingOf(known.request),
    ...zoomOf(known.request),
  };
}

function identityOf({ number, bot_id, join_at, session_id }: Known, teamId: string) {
  return {
    id: number,
    uuid: bot_id,
    account_id: teamId,
    bot_param_id: number,
    scheduled_bot_id: join_at === null ? null : number,
    event_id: null,
    session_id,
  };
}

function courseOf(known: Known) {
  return {
    created_at: known.created_at,
    bot_joined_at: known.joined_at,
    bot_exited_at: known.exited_at,
    ended_at: known.ended_at,
    errors: known.error_code === null ? null : `${known.error_code}: ${known.error_message ?? ''}`,
    is_stopped: known.leave_requested,
    mp4_s3_path: '',
    reserved: false,
    diarization_v2: true,
    diarization_fails: null,
    transcription_fails: null,
    transcription_payloads: null,
    user_reported_error: null,
  };
}

function settingsOf({ bot_name, meeting_url, deduplication_key, extra, webhook_url, request }: Known) {
  const { waiting_room_timeout, no_one_joined_timeout, silence_timeout } = request.timeout_config;
  return {
    bot_name,
    bot_image: [request.bot_image].flat()[0] ?? null,
    meeting_url,
    deduplication_key,
    enter_message: request.entry_message,
    extra: shownLegacyExtra(extra),
    recording_mode: request.recording_mode,
    webhook_url,
    waiting_room_timeout,
    noone_joined_timeout: no_one_joined_timeout,
    silence_timeout,
  };
}

function speechOf({ transcription_enabled: isWanted, transcription_config: config }: Known['request']) {
  return {
    speech_to_text_provider: isWanted ? legacyProviderOf(config?.provider ?? 'gladia') : null,
    speech_to_text_api_key: null,
    transcription_custom_parameters: isWanted ? (config?.custom_params ?? {}) : {},
  };
}

function streamingOf({ streaming_enabled: isOn, streaming_config: config }: Known['request']) {
  const { input_url = null, output_url = null, audio_frequency = null } = isOn ? (config ?? {}) : {};
  return {
    streaming_input: input_url,
    streaming_output: output_url,
    streaming_audio_frequency: audio_frequency === null ? null : `${audio_frequency / 1_000}khz`,
  };
}

function zoomOf({ alpha_config: config }: Known['request']) {
  return {
    alpha_access_token_url: config?.zak_token_url ?? null,
    alpha_obf_token: null,
    alpha_obf_token_url: config?.obf_token_url ?? null,
    alpha_obf_token_user_id: config?.credential_user_id ?? null,
    alpha_sdk_id: null,
    alpha_sdk_pwd: null,
  };
}
