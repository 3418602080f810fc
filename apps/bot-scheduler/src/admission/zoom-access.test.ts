import { describe, expect, test } from '@jest/globals';
import { fail, Failure } from '@rapporteur/failures';
import { readInput } from '@rapporteur/service-runtime';
import { createBody } from '../testing/create-body.ts';
import type { ZoomAccess } from './zoom-access.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { prepareBot } from './prepare-bot.ts';
import type { PreparedBot } from './prepare-bot.ts';

const zoom = 'https://zoom.us/j/12345678901';
const access: ZoomAccess = { sdk: true, credentials: null };
const someCredentials = { status: async () => ({ credential: null }) };
const checkAddress = (url: string): void => {
  if (url.includes('10.0.0.1')) throw fail('ADDRESS_REFUSED');
};
const prepare = (over: Record<string, unknown>, zoomSettings = access): PreparedBot =>
  prepareBot(
    { simulatorLinkHosts: [], checkAddress, checkWebhook: checkAddress, zoom: zoomSettings },
    readInput(createBotBody, createBody({ meeting_url: zoom, ...over })),
  );
const refusal = (over: Record<string, unknown>, zoomSettings = access): Failure => {
  try {
    prepare(over, zoomSettings);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};
const legacy = (over: object) => ({
  webhook_url: null,
  api_key: null,
  deduplication_key: null,
  alpha_sdk_id: null,
  alpha_sdk_pwd: null,
  ...over,
});

describe('a method to join Zoom', () => {
  test.each([
    [{ obf_token: 'eyJ.canary.x' }],
    [{ obf_token_url: 'https://a.example/obf?key=1' }],
    [{ zak_token_url: 'https://a.example/zak' }],
    [{}],
  ])('%j is taken where the operator has an SDK app; the token itself is sealed, not stored', (alpha_config) => {
    const { request, secrets } = prepare({ alpha_config });
    expect(JSON.stringify(request)).not.toContain('canary');
    expect(secrets).toEqual('obf_token' in alpha_config ? { obf_token: 'eyJ.canary.x' } : {});
  });

  test.each([[{ obf_token: 'x' }], [{ obf_token_url: 'https://a.example' }], [{ zak_token_url: 'https://a.example' }]])(
    '%j is refused by name where there is no SDK app',
    (alpha_config) => {
      const [field] = Object.keys(alpha_config);
      const failure = refusal({ alpha_config }, { ...access, sdk: false });
      expect(failure).toMatchObject({ code: 'NOT_CONFIGURED_YET', details: `alpha_config.${field}` });
      expect(failure.message).toMatch(/no Meeting SDK app.*ask your operator/);
    },
  );

  test.each(['credential_id', 'credential_user_id'])('by %s is refused where no credentials are stored', (field) => {
    const failure = refusal({ alpha_config: { [field]: 'u-1' } });
    expect(failure).toMatchObject({ code: 'NOT_CONFIGURED_YET', statusCode: 422 });
    expect(failure.details).toBe(`alpha_config.${field}`);
    expect(failure.message).toMatch(/stores no Zoom credentials, so/);
    expect(
      prepare({ alpha_config: { [field]: 'u-1' } }, { ...access, credentials: someCredentials }).request,
    ).toBeTruthy();
  });

  test('is one method, not two: the second is named', () => {
    const alpha_config = { obf_token: 'x', zak_token_url: 'https://a.example' };
    expect(refusal({ alpha_config })).toMatchObject({
      code: 'VALIDATION',
      details: 'alpha_config.zak_token_url',
    });
  });

  test.each([
    [{ obf_token_url: 'https://10.0.0.1/t' }, 'ADDRESS_REFUSED', 'obf_token_url'],
    [{ zak_token_url: 'https://10.0.0.1/t' }, 'ADDRESS_REFUSED', 'zak_token_url'],
    [{ obf_token: 'two words' }, 'VALIDATION', 'obf_token'],
    [{ obf_token: 'x'.repeat(8_193) }, 'VALIDATION', 'obf_token'],
    [{ obf_token: 'tökén' }, 'VALIDATION', 'obf_token'],
  ])('%j that cannot work is refused at once', (alpha_config, code, field) => {
    expect(refusal({ alpha_config })).toMatchObject({ code, details: `alpha_config.${field}` });
  });
});

describe('an SDK app of the customer', () => {
  const own = legacy({ alpha_sdk_id: 'id-canary', alpha_sdk_pwd: 'pwd-canary' });

  test('joins without one of the operator, with or without a token; both halves are sealed', () => {
    const { request, secrets } = prepare({ legacy: own }, { ...access, sdk: false });
    expect(JSON.stringify(request)).not.toContain('canary');
    expect(secrets).toEqual({ alpha_sdk_id: 'id-canary', alpha_sdk_pwd: 'pwd-canary' });
    const alpha_config = { obf_token_url: 'https://a.example/obf' };
    expect(prepare({ legacy: own, alpha_config }, { ...access, sdk: false }).request).toMatchObject({ alpha_config });
  });

  test('is for Zoom only', () => {
    const failure = refusal({ legacy: own, meeting_url: 'https://meet.google.com/abc-defg-hij' });
    expect(failure).toMatchObject({ code: 'VALIDATION', details: 'alpha_sdk_id' });
  });
});
