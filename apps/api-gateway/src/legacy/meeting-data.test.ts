import { describe, expect, test } from '@jest/globals';
import { legacyDocument } from '@rapporteur/contracts/legacy-api';
import { checkOf } from '../testing/check-of.ts';
import { meetingDataOf } from '../testing/meeting-data.ts';
import { describeMeetingData } from './meeting-data.ts';

const teamId = '6a1f0c52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const fits = checkOf(legacyDocument, 'MeetingData');

async function described(over: Parameters<typeof meetingDataOf>[0] = {}, settings: Record<string, unknown> = {}) {
  const response = describeMeetingData({ success: true, data: meetingDataOf(over, settings) }, teamId);
  expect(await fits(structuredClone(response))).toBeNull();
  return response;
}

describe('meeting data', () => {
  test('of a bot that recorded has its links, times and settings', async () => {
    const links = { video: 'https://s/v.mp4', audio: 'https://s/a.flac', diarization: 'https://s/d.jsonl' };
    expect(await described(links)).toEqual({
      mp4: 'https://s/v.mp4',
      audio: 'https://s/a.flac',
      duration: 61,
      speaker_diarization_file: 'https://s/d.jsonl',
      speaker_diarization_file_network: '',
      meeting_participants_file: '',
      bot_data: {
        event_uuid: null,
        transcripts: [],
        bot: {
          id: 1042,
          uuid: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11',
          account_id: teamId,
          bot_param_id: 1042,
          scheduled_bot_id: null,
          event_id: null,
          session_id: 'bot-3f0c6a52-1',
          created_at: '2026-11-21T09:00:00.000Z',
          bot_joined_at: '2026-11-21T09:00:10.000Z',
          bot_exited_at: '2026-11-21T09:01:11.000Z',
          ended_at: '2026-11-21T09:01:20.000Z',
          errors: null,
          is_stopped: true,
          mp4_s3_path: '',
          reserved: false,
          diarization_v2: true,
          diarization_fails: null,
          transcription_fails: null,
          transcription_payloads: null,
          user_reported_error: null,
          bot_name: 'Rapporteur',
          bot_image: null,
          meeting_url: 'https://meet.google.com/abc-defg-hij',
          deduplication_key: 'd-1',
          enter_message: 'Hello.',
          extra: 7,
          recording_mode: 'speaker_view',
          webhook_url: 'https://a.example/hook',
          waiting_room_timeout: 300,
          noone_joined_timeout: 600,
          silence_timeout: 900,
          speech_to_text_provider: null,
          speech_to_text_api_key: null,
          transcription_custom_parameters: {},
          streaming_input: null,
          streaming_output: null,
          streaming_audio_frequency: null,
          alpha_access_token_url: null,
          alpha_obf_token: null,
          alpha_obf_token_url: null,
          alpha_obf_token_user_id: null,
          alpha_sdk_id: null,
          alpha_sdk_pwd: null,
        },
      },
    });
  });

  test('of a bot that has not joined has empty links and no times', async () => {
    const nothing = { joined_at: null, exited_at: null, ended_at: null, duration_seconds: null, session_id: null };
    const response = await described({ ...nothing, leave_requested: false });
    expect(response).toMatchObject({ mp4: '', audio: '', duration: 0, speaker_diarization_file: '' });
    expect(response.bot_data.bot).toMatchObject({ bot_joined_at: null, session_id: null, is_stopped: false });
  });

  test.each([
    [
      { error_code: 'BOT_NOT_ACCEPTED', error_message: 'The bot was not admitted.' },
      {},
      { errors: 'BOT_NOT_ACCEPTED: The bot was not admitted.' },
    ],
    [{ join_at: '2026-11-21T09:00:00.000Z' }, {}, { scheduled_bot_id: 1042 }],
    [
      {},
      { bot_image: ['https://a.example/1.png', 'https://a.example/2.png'] },
      { bot_image: 'https://a.example/1.png' },
    ],
    [{}, { transcription_enabled: true, transcription_config: null }, { speech_to_text_provider: 'Gladia' }],
    [
      {},
      { transcription_enabled: true, transcription_config: { provider: 'deepgram', custom_params: { a: 1 } } },
      { speech_to_text_provider: 'deepgram', transcription_custom_parameters: { a: 1 } },
    ],
    [
      {},
      { transcription_enabled: false, transcription_config: { provider: 'gladia' } },
      { speech_to_text_provider: null },
    ],
    [
      {},
      {
        streaming_enabled: true,
        streaming_config: { input_url: 'wss://a/in', output_url: null, audio_frequency: 24_000 },
      },
      { streaming_input: 'wss://a/in', streaming_output: null, streaming_audio_frequency: '24khz' },
    ],
    [
      {},
      { alpha_config: { credential_user_id: 'u-1', obf_token_url: 'https://a/obf', zak_token_url: 'https://a/zak' } },
      {
        alpha_obf_token_user_id: 'u-1',
        alpha_obf_token_url: 'https://a/obf',
        alpha_access_token_url: 'https://a/zak',
        alpha_obf_token: null,
      },
    ],
  ])('of %j with %j has %j', async (over, settings, expected) => {
    expect((await described(over, settings)).bot_data.bot).toMatchObject(expected);
  });

  test('of a bot that was transcribed has what was spoken, numbered, with who said it', async () => {
    const word = { word: 'Hello.', start: 1, end: 1.4 };
    const utterance = { speaker: 'Ann', speakerId: 3, language: 'en', start: 1, end: 1.4, words: [word] };
    const unknown = { ...utterance, speaker: 'unknown', speakerId: null, language: null, words: [word, word] };
    const { transcripts } = (await described({ transcript: [utterance, unknown] })).bot_data;
    const said = { bot_id: 1042, start_time: 1, end_time: 1.4, text: 'Hello.' };
    expect(transcripts).toMatchObject([
      { id: 1, bot_id: 1042, speaker: 'Ann', start_time: 1, end_time: 1.4, lang: 'en', user_id: 3 },
      { id: 2, speaker: 'unknown', lang: null, user_id: null },
    ]);
    expect(transcripts.flatMap(({ words }) => words)).toEqual([
      { ...said, id: 1, user_id: 3 },
      { ...said, id: 2, user_id: null },
      { ...said, id: 3, user_id: null },
    ]);
  });
});
