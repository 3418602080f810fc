import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './index.ts';

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret altogether').toString('base64')}`;
const body = JSON.stringify({
  id: 'msg_1',
  event: 'bot.failed',
  created_at: '2031-05-04T09:00:00.000Z',
  data: {
    bot_id: 'b',
    event_id: null,
    error_code: 'BOT_NOT_ACCEPTED',
    error_message: 'The bot was not admitted. 🚪',
    sent_at: '',
  },
  extra: { customer: '42' },
});

function headersOf(text: string, signedWith: readonly string[] = [secret], ageSeconds = 0) {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signedWith.map((one) => new Webhook(one).sign('msg_1', at, text)).join(' '),
  };
}

describe('a delivery', () => {
  test('gives its event, typed by its name', () => {
    const event = verifyWebhook(body, headersOf(body), secret);
    expect(event).toEqual(JSON.parse(body));
    const code: string | null = event.event === 'bot.failed' ? event.data.error_code : null;
    expect(code).toBe('BOT_NOT_ACCEPTED');
  });

  test.each([
    ['bytes', Buffer.from(body), headersOf(body)],
    ['a Headers object', body, new Headers(headersOf(body))],
    [
      'names in capitals',
      body,
      Object.fromEntries(Object.entries(headersOf(body)).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    [
      'a signature per header',
      body,
      { ...headersOf(body), 'webhook-signature': ['v1,bm8=', headersOf(body)['webhook-signature']] },
    ],
  ])('may arrive as %s', (_what, given, headers) => {
    expect(verifyWebhook(given, headers, secret).event).toBe('bot.failed');
  });

  test('passes with either secret while one replaces the other', () => {
    expect(verifyWebhook(body, headersOf(body, [other, secret]), secret).event).toBe('bot.failed');
    expect(verifyWebhook(body, headersOf(body, [other]), [secret, other]).event).toBe('bot.failed');
  });

  test.each([
    ['signed with another secret', body, headersOf(body, [other])],
    ['changed on the way', body.replace('42', '43'), headersOf(body)],
    ['older than 5 minutes', body, headersOf(body, [secret], 301)],
    ['from the future', body, headersOf(body, [secret], -302)],
    ['without headers', body, {}],
    ['with another id', body, { ...headersOf(body), 'webhook-id': 'msg_2' }],
    ['that is no text', Uint8Array.from([0xff, 0xfe]), headersOf(body)],
    ['signed, but no event', '7', headersOf('7')],
    ['signed, but no JSON', 'x', headersOf('x')],
  ])('%s is refused', (_what, given, headers) => {
    expect(() => verifyWebhook(given, headers, secret)).toThrow(WebhookVerificationError);
    expect(() => verifyWebhook(given, headers, [secret, secret])).toThrow(WebhookVerificationError);
  });

  test('needs a secret', () => {
    expect(() => verifyWebhook(body, headersOf(body), [])).toThrow(TypeError);
  });
});
