import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signatures, signedHeaders } from './signature.ts';

const secret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const message = {
  messageId: 'msg_abc',
  timestamp: Math.floor(Date.now() / 1_000),
  body: Buffer.from(JSON.stringify({ name: 'Zoë 💡', list: [1, null] })),
};

describe('a signature', () => {
  test('is what the standardwebhooks package makes of the same message', () => {
    const key = secret();
    const theirs = new Webhook(key).sign(
      message.messageId,
      new Date(message.timestamp * 1_000),
      message.body.toString(),
    );
    expect(signatures(message, [key])).toBe(theirs);
  });

  test('holds for every secret in force and for no other', () => {
    const [present, previous, stranger] = [secret(), secret(), secret()];
    const headers = signedHeaders(message, [present, previous]);
    for (const key of [present, previous])
      expect(new Webhook(key).verify(message.body, headers)).toEqual(JSON.parse(message.body.toString()));
    expect(() => new Webhook(stranger).verify(message.body, headers)).toThrow('No matching signature');
  });

  test.each([
    ['body', { body: Buffer.from('{}') }, {}],
    ['id', {}, { 'webhook-id': 'msg_other' }],
    ['time', {}, { 'webhook-timestamp': String(message.timestamp - 60) }],
  ])('does not hold for another %s', (_what, changed, headers) => {
    const key = secret();
    const sent = { ...signedHeaders(message, [key]), ...headers };
    expect(() => new Webhook(key).verify({ ...message, ...changed }.body, sent)).toThrow('No matching signature');
  });
});
