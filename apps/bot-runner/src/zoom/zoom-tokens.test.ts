import { describe, expect, test } from '@jest/globals';
import type { ZoomInvocation, JoinTokenReply } from '@rapporteur/contracts';
import type { OutboundResponse, OutboundRequest } from '@rapporteur/outbound-http';
import { quietLogger } from '../testing/quiet-logger.ts';
import { ZoomTokens } from './zoom-tokens.ts';

const sdk = { key: 'key', signature: 'signature' };
const plain: ZoomInvocation = {
  obfToken: null,
  obfTokenUrl: null,
  zakTokenUrl: null,
  storedCredential: false,
  extra: null,
  sdk,
};

function tokens(
  over: Partial<ZoomInvocation>,
  responses: readonly [number, string][] = [],
  credential: readonly JoinTokenReply[] = [],
) {
  const requests: OutboundRequest[] = [];
  const left = [...responses];
  const given = [...credential];
  let requested = 0;
  const requestCredential = async (): Promise<JoinTokenReply> => {
    requested += 1;
    return given.shift() ?? { outcome: 'refused', message: 'Nothing more.' };
  };
  let nowMs = 0;
  const http = {
    request: async (request: OutboundRequest): Promise<OutboundResponse> => {
      requests.push(request);
      const [status, text] = left.shift() ?? [500, ''];
      return { status, headers: {}, bodyPrefix: Buffer.from(text), durationMs: 1 };
    },
    close: () => undefined,
  };
  const zoom = { ...plain, ...over };
  const made = new ZoomTokens({ zoom, botId: 'b-1', requestCredential, http, now: () => nowMs, logger: quietLogger });
  const pass = (ms: number) => (nowMs += ms);
  return { made, requests, pass, requested: () => requested };
}
const { signal } = new AbortController();

describe('what a bot of the first platform joins with', () => {
  test('is the OBF token it was given, without a request', async () => {
    const { made, requests } = tokens({ obfToken: 'given' });
    expect(await made.ready(signal)).toBeNull();
    expect(await made.give()).toEqual({ obf: 'given', zak: null });
    expect(requests).toEqual([]);
  });

  test.each([
    [{ obfTokenUrl: 'https://a.example/obf' }, { obf: 'one', zak: null }],
    [{ zakTokenUrl: 'https://a.example/zak' }, { obf: null, zak: 'one' }],
  ])('is what %j answers before it joins; a moment later the same, later a new one', async (over, first) => {
    const { made, requests, pass } = tokens(over, [
      [200, 'one'],
      [200, 'two'],
    ]);
    expect(await made.ready(signal)).toBeNull();
    pass(10_000);
    expect(await made.give()).toEqual(first);
    pass(60_000);
    expect(Object.values(await made.give())).toContain('two');
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ method: 'GET', timeoutMs: 15_000, maxResponseBytes: 8_192 });
  });

  test.each([
    [{ obfTokenUrl: 'https://a.example/obf?key=canary' }, 'ALPHA_OBF_TOKEN_ERROR', 'obf_token_url'],
    [{ zakTokenUrl: 'https://a.example/zak?key=canary' }, 'ALPHA_ACCESS_TOKEN_ERROR', 'zak_token_url'],
  ])(
    'that %j does not respond keeps it from joining, with a message that states what to do',
    async (over, code, field) => {
      const { made } = tokens(over, [[404, 'canary']]);
      const end = await made.ready(signal);
      expect(end).toMatchObject({ code, message: expect.stringContaining(field) });
      expect(end?.message).toMatch(/HTTP status 404.*plain text within 15 seconds\.$/);
      expect(end?.message).not.toContain('canary');
      expect(await made.give()).toEqual({ missing: code === 'ALPHA_OBF_TOKEN_ERROR' ? 'obf' : 'zak' });
    },
  );

  test('is the signature alone where no token was given, as in meetings of the app own account', async () => {
    const { made } = tokens({});
    expect(await made.ready(signal)).toBeNull();
    expect(await made.give()).toEqual({ obf: null, zak: null });
  });

  test('is nothing without a signature: the bot ends before it opens anything', async () => {
    const { made, requests } = tokens({ obfTokenUrl: 'https://a.example/obf', sdk: null });
    expect(await made.ready(signal)).toMatchObject({ code: 'CANNOT_GET_JWT_TOKEN' });
    expect(requests).toEqual([]);
  });
});

describe('a bot with a stored credential', () => {
  const stored = { storedCredential: true, sdk: null };
  const response = (name: string, obfToken: string | null): JoinTokenReply => ({
    outcome: 'token',
    sdk: { key: 'app', signature: `signed ${name}` },
    obfToken,
  });

  test('joins with the token and the signature that the credential gives; a moment later the same, later new ones', async () => {
    const { made, pass, requested, requests } = tokens(
      stored,
      [],
      [response('one', 'obf-1'), response('two', 'obf-2')],
    );
    expect(await made.ready(signal)).toBeNull();
    pass(10_000);
    expect([await made.give(), made.signature]).toEqual([{ obf: 'obf-1', zak: null }, 'signed one']);
    pass(60_000);
    expect([await made.give(), made.signature]).toEqual([{ obf: 'obf-2', zak: null }, 'signed two']);
    expect([requested(), requests]).toEqual([2, []]);
  });

  test('that speaks for no user joins with the signature alone', async () => {
    const { made } = tokens(stored, [], [response('app', null)]);
    expect(await made.ready(signal)).toBeNull();
    expect([await made.give(), made.signature]).toEqual([{ obf: null, zak: null }, 'signed app']);
  });

  test('without a token ends before the page is opened, with the reason of its issuer', async () => {
    const { made } = tokens(stored, [], [{ outcome: 'refused', message: 'The stored Zoom credential is invalid.' }]);
    expect(await made.ready(signal)).toEqual({
      code: 'ALPHA_OBF_TOKEN_ERROR',
      message: 'The stored Zoom credential gave no OBF token. The stored Zoom credential is invalid.',
    });
    expect(await made.give()).toEqual({ missing: 'obf' });
  });
});
