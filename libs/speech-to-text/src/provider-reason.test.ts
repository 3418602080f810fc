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
    const failure = refusal('X', { status: 400, headers: {}, body: Buffer.from(body) });
    expect(failure.message).toContain(reason);
  });

  test.each([
    'language_detection cannot be performed on files with no spoken audio.',
    'max() arg is an empty sequence',
    'No speech was found in the file',
  ])('%j is that nothing was said', (reason) => {
    expect(failedJob('X', reason).kind).toBe('no-speech');
    expect(refusal('X', { status: 500, headers: {}, body: Buffer.from(reason) }).kind).toBe('no-speech');
  });

  const quota = 'You exceeded your current quota, please check your plan and billing details.';
  test.each([
    [429, { error: { message: quota, type: 'insufficient_quota', code: 'insufficient_quota' } }, 'credentials', true],
    [429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 'temporary', true],
    [429, { code: 'quota_exceeded', detail: 'Concurrent quota exceeded' }, 'temporary', true],
    [402, { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: 'Project does not have enough credits.' }, 'credentials', true],
    [400, { error: 'Your account balance is low: insufficient funds.' }, 'credentials', true],
    [403, { error: 'Forbidden' }, 'credentials', true],
    [413, '<html><h1>413 Request Entity Too Large</h1></html>', 'too-large', true],
    [400, { error: { message: 'Maximum content size limit (26214400) exceeded' } }, 'too-large', true],
    [422, { message: 'The audio file is too long.' }, 'too-large', true],
    [503, { error: { message: 'The model cannot be used yet: The model is being fetched.' } }, 'temporary', true],
    [500, { error: 'The model is overloaded.' }, 'temporary', true],
    [504, 'upstream request timeout', 'temporary', false],
    [400, { err_msg: 'Bad Request: No such model/language/tier combination found.' }, 'rejected', true],
  ] as const)('and its status %i: %j is %s, refused: %s', (status, said, kind, refused) => {
    const body = Buffer.from(typeof said === 'string' ? said : JSON.stringify(said));
    expect(refusal('X', { status, headers: {}, body })).toMatchObject({ kind, refused });
  });

  test('names the missing credit, not the key', () => {
    const body = Buffer.from(JSON.stringify({ error: { message: quota, code: 'insufficient_quota' } }));
    expect(refusal('X', { status: 429, headers: {}, body }).message).toBe(
      `X has no credit for this key (HTTP status 429): ${quota}`,
    );
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
