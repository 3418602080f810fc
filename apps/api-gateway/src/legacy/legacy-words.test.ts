import { expect, test } from '@jest/globals';
import { inLegacyWords } from './legacy-words.ts';

test.each([
  [
    'This deployment does not transcribe yet. Send transcription_enabled false.',
    'This deployment does not transcribe yet. Leave speech_to_text out.',
  ],
  [
    '/body/streaming_config/output_url: The address must start with wss://.',
    '/body/streaming/output: The address must start with wss://.',
  ],
  ['/body/join_at: It must be at most 90 days ahead.', '/body/start_time: It must be at most 90 days ahead.'],
  ['/body/join_at: It is not a time. Send ISO 8601 with a time zone.', '/body/start_time: It is not a time.'],
  ['/body/alpha_config: It is for Zoom only. Leave it null.', '/body/alpha_*: It is for Zoom only. Leave it null.'],
  ['/body/alpha_config/zak_token_url: No.', '/body/alpha_access_token_url: No.'],
  [
    '/body/alpha_config/obf_token: There is no app, which obf_token needs. Use obf_token_url or zak_token_url.',
    '/body/alpha_obf_token: There is no app, which alpha_obf_token needs. Use alpha_obf_token_url or alpha_access_token_url.',
  ],
  ['/body/timeout_config/no_one_joined_timeout: No.', '/body/automatic_leave/noone_joined_timeout: No.'],
  ['/body/transcription_config/custom_params: No.', '/body/transcription_custom_parameters: No.'],
  ['/body/extra: It may have at most 16 KiB as JSON.', '/body/extra: It may have at most 16 KiB as JSON.'],
])('%j becomes %j', (message, reported) => {
  const envelope = { success: false, error: 'x', code: 'X', statusCode: 422, message, details: message };
  expect(inLegacyWords(envelope)).toEqual({ ...envelope, message: reported, details: reported });
});

test('a refusal without words stays as it is', () => {
  const envelope = { success: false, error: 'Forbidden', code: 'X', statusCode: 403, message: null };
  expect(inLegacyWords(envelope)).toEqual(envelope);
  expect(inLegacyWords('no envelope')).toBe('no envelope');
});
