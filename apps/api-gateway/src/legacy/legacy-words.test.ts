import { expect, test } from '@jest/globals';
import { inLegacyWords } from './legacy-words.ts';

test.each([
  [
    'This deployment does not transcribe yet. Send transcription_enabled false.',
    'This deployment does not transcribe yet. Leave speech_to_text out.',
  ],
  [
    'streaming_config.output_url: The address must start with wss://.',
    'streaming.output: The address must start with wss://.',
  ],
  ['join_at: It must be at most 90 days ahead.', 'start_time: It must be at most 90 days ahead.'],
  ['join_at: It is not a time. Send ISO 8601 with a time zone.', 'start_time: It is not a time.'],
  ['alpha_config: It is for Zoom only. Leave it null.', 'alpha_*: It is for Zoom only. Leave it null.'],
  ['alpha_config.zak_token_url: No.', 'alpha_access_token_url: No.'],
  [
    'alpha_config.obf_token: There is no app, which obf_token needs. Use obf_token_url or zak_token_url.',
    'alpha_obf_token: There is no app, which alpha_obf_token needs. Use alpha_obf_token_url or alpha_access_token_url.',
  ],
  ['timeout_config.no_one_joined_timeout: No.', 'automatic_leave.noone_joined_timeout: No.'],
  ['transcription_config.custom_params: No.', 'transcription_custom_parameters: No.'],
  ['extra: It may have at most 16 KiB as JSON.', 'extra: It may have at most 16 KiB as JSON.'],
])('%j becomes %j', (message, reported) => {
  const envelope = { success: false, error: 'x', code: 'X', statusCode: 422, message, details: message };
  expect(inLegacyWords(envelope)).toEqual({ ...envelope, message: reported, details: reported });
});

test('a refusal without words stays as it is', () => {
  const envelope = { success: false, error: 'Forbidden', code: 'X', statusCode: 403, message: null };
  expect(inLegacyWords(envelope)).toEqual(envelope);
  expect(inLegacyWords('no envelope')).toBe('no envelope');
});
