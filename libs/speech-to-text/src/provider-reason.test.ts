import { describe, expect, test } from '@jest/globals';
import { failedJob, reasonIn, reasonOf } from './provider-reason.ts';
import { refusal } from './provider-http.ts';

describe('the reason of a provider', () => {
  test('is shown without addresses and keys, on one line, and shortened', () => {
    const key = 'sk-1234567890abcdefghijklmnop';
    const shown = reasonOf(`Download error:\nhttps://cdn.example/upload?token=abc with ${key}`);
    expect(shown).toBe('Download error: … with …');
    expect(reasonOf('word '.repeat(1_000)).length).toBeLessThanOrEqual(201);
  });

  test.each([
    ['{"error":{"message":"The audio is too short."}}', 'The audio is too short.'],
    ['{"detail":[{"msg":"bad file"}]}', 'bad file'],
    ['{"err_msg":"no such model"}', 'no such model'],
    ['<html>502</html>', ''],
    ['[[[[["deep"]]]]]', ''],
  ])('in %s is %j', (body, reason) => {
    expect(reasonIn(Buffer.from(body))).toBe(reason);
    const failure = refusal('X', { status: 400, headers: {}, reason: reasonIn(Buffer.from(body)) });
    expect(failure.message).toContain(reason);
  });

  test.each([
    'language_detection cannot be performed on files with no spoken audio.',
    'max() arg is an empty sequence',
    'No speech was found in the file',
  ])('%j is that nothing was said', (reason) => {
    expect(failedJob('X', reason).kind).toBe('no-speech');
    expect(refusal('X', { status: 500, headers: {}, reason }).kind).toBe('no-speech');
  });

  test('of another failure is part of what the customer reads', () => {
    const failure = failedJob('X', 'The file is damaged.');
    expect([failure.kind, failure.message]).toEqual([
      'failed',
      'X could not transcribe the audio: The file is damaged.',
    ]);
    expect(failedJob('X', null).message).toBe('X could not transcribe the audio.');
  });
});
