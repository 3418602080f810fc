import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { callbackKey, endpointKey, messageHeaders, signatures } from './webhook-signature.ts';

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
    expect(signatures(message, [endpointKey(key)])).toBe(theirs);
  });

  test('holds for every secret in force and for no other', () => {
    const [present, previous, stranger] = [secret(), secret(), secret()];
    const headers = messageHeaders(message, [present, previous].map(endpointKey));
    for (const key of [present, previous])
      expect(new Webhook(key).verify(message.body, headers)).toEqual(JSON.parse(message.body.toString()));
    expect(() => new Webhook(stranger).verify(message.body, headers)).toThrow('No matching signature');
  });

  test('of a callback holds for its secret, taken as it was written', () => {
    const headers = messageHeaders(message, [callbackKey('my secret')]);
    for (const receiver of [
      new Webhook('my secret', { format: 'raw' }),
      new Webhook(Buffer.from('my secret').toString('base64')),
    ])
      expect(receiver.verify(message.body, headers)).toEqual(JSON.parse(message.body.toString()));
  });

  test('is left out where there is no key', () => {
    expect(Object.keys(messageHeaders(message, [])).filter((name) => name.includes('signature'))).toEqual([]);
  });

  test.each([
    ['body', { body: Buffer.from('{}') }, {}],
    ['id', {}, { 'webhook-id': 'msg_other' }],
    ['time', {}, { 'webhook-timestamp': String(message.timestamp - 60) }],
  ])('does not hold for another %s', (_what, changed, headers) => {
    const key = secret();
    const sent = { ...messageHeaders(message, [endpointKey(key)]), ...headers };
    expect(() => new Webhook(key).verify({ ...message, ...changed }.body, sent)).toThrow('No matching signature');
  });
});
