import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver, Respond } from '@rapporteur/testbed/receiver';
import { fetchToken } from './zoom-tokens.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const requested: URL[] = [];
let server: Receiver;
let origin = '';
let http: OutboundHttp;
let reply: Respond = () => undefined;

beforeAll(async () => {
  server = await startReceiver((call, response, count) => {
    requested.push(new URL(call.path, origin));
    reply(call, response, count);
  });
  origin = server.url;
  http = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
});
afterAll(async () => {
  http.close();
  await server.close();
});

const sendRequest = (extra: Record<string, unknown> | null = null, path = '/token?team=7') =>
  fetchToken(http, { url: `${origin}${path}`, botId, extra });
const says =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

describe('a token address', () => {
  test('is called with GET, the bot and its extra beside its own query, and its text is trimmed', async () => {
    reply = (request, response) => response.end(request.method === 'GET' ? ' token.of-text_1 \r\n' : 'no');
    expect(await sendRequest({ customer: 'c-1', ä: [1, '&'] })).toEqual({ token: 'token.of-text_1' });
    const query = Object.fromEntries(requested.at(-1)!.searchParams);
    expect(query).toEqual({ team: '7', bot_uuid: botId, extra: '{"customer":"c-1","ä":[1,"&"]}' });
  });

  test('is given the extra of a legacy bot as it was sent', async () => {
    reply = says(200, 'token');
    await sendRequest({ legacy_extra: [1, 'two'] });
    expect(requested.at(-1)!.searchParams.get('extra')).toBe('[1,"two"]');
    await sendRequest();
    expect(requested.at(-1)!.searchParams.get('extra')).toBe('null');
  });

  test.each<[string, Respond, RegExp]>([
    ['an error', says(500, 'canary'), /HTTP status 500/],
    ['a redirect, which is not followed', says(302, '', { location: '/elsewhere' }), /HTTP status 302/],
    ['nothing', says(200, ' \n'), /empty/],
    ['JSON with spaces', says(200, '{"token": "canary"}'), /plain ASCII/],
    ['what is not ASCII', says(200, Buffer.from('canäry')), /plain ASCII/],
    ['more than 8 kB', says(200, 'x'.repeat(8_193)), /larger than 8192 bytes/],
    ['a line that breaks', (_call, response) => void response.destroy(), /connection was closed/],
  ])('that answers %s gives no token, and words that hold nothing of it', async (_what, handler, words) => {
    reply = handler;
    const given = await sendRequest();
    expect(given).toMatchObject({ token: null, why: expect.stringMatching(words) });
    expect(JSON.stringify(given)).not.toMatch(/canary|127\.0\.0\.1/);
  });

  test('that may not be called from here is not', async () => {
    const strict = createOutboundHttp({ allow: [], requireHttps: true });
    const before = requested.length;
    const given = await fetchToken(strict, { url: `${origin}/token`, botId, extra: null });
    strict.close();
    expect(given).toMatchObject({ token: null, why: expect.stringMatching(/\S/) });
    expect(requested).toHaveLength(before);
  });
});
