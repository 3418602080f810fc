import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BotRow } from '../schema/bot-entity.ts';
import { saveSecrets, sealSecrets } from '../credentials/bot-secrets.store.ts';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam, testBox } from '../testing/test-scheduler.ts';
import { zoomOf } from './redeem-ticket.ts';

const zoom = { meeting_url: 'https://zoom.us/j/12345678901', extra: { customer: 'c-1' } };
const sdk = { key: 'app', secret: 'secret' };
const nowMs = Date.UTC(2026, 10, 21);

let harness: AdmissionHarness;
let { database } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ database } = harness);
});
afterAll(() => harness.close());

/** A bot with these means to join. */
async function bot(config: object | null, secrets: Record<string, string> = {}, over: object = {}): Promise<BotRow> {
  const teamId = await addTeam(database);
  const id = createdId(await harness.create(teamId, { ...zoom, ...over }));
  await saveSecrets(database, { teamId, botId: id }, sealSecrets(testBox, { teamId, botId: id }, secrets));
  const [row] = await database.query<BotRow>('select * from bots where id = $1', [id]);
  return { ...row!, request: { ...row!.request, alpha_config: config } };
}
const dependencies = (app: typeof sdk | null = sdk) => ({ database, box: testBox, sdk: app });
const signedBy = (signature: string, secret: string): boolean => {
  const [head, claims, mark] = signature.split('.');
  return mark === createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
};

describe('what a runner gets to join Zoom with', () => {
  test('is nothing for a plain guest, and nothing on other platforms', async () => {
    expect(await zoomOf(dependencies(), await bot(null), nowMs)).toBeNull();
    expect(await zoomOf(dependencies(), await bot({}), nowMs)).toBeNull();
    const meet = { meeting_url: 'https://meet.google.com/abc-defg-hij' };
    expect(await zoomOf(dependencies(), await bot(null, {}, meet), nowMs)).toBeNull();
  });

  test('is the token that was sealed, or the address to ask with the extra, and a signature of the operator app', async () => {
    const withToken = await zoomOf(dependencies(), await bot({}, { obf_token: 'once' }), nowMs);
    expect(withToken).toMatchObject({ obfToken: 'once', obfTokenUrl: null, extra: { customer: 'c-1' } });
    const config = { obf_token_url: 'https://a.example/obf' };
    const withUrl = await zoomOf(dependencies(), await bot(config), nowMs);
    expect(withUrl).toMatchObject({ obfToken: null, obfTokenUrl: 'https://a.example/obf', sdk: { key: 'app' } });
    expect(signedBy(withUrl!.sdk!.signature, 'secret')).toBe(true);
    expect(JSON.stringify(withUrl)).not.toContain('"secret"');
  });

  test('is signed with the customer own app where they brought one, also without a token', async () => {
    const own = await bot(null, { alpha_sdk_id: 'their-app', alpha_sdk_pwd: 'their-secret' });
    const zoomSettings = await zoomOf(dependencies(null), own, nowMs);
    expect(zoomSettings).toMatchObject({
      obfToken: null,
      obfTokenUrl: null,
      zakTokenUrl: null,
      sdk: { key: 'their-app' },
    });
    expect(signedBy(zoomSettings!.sdk!.signature, 'their-secret')).toBe(true);
  });

  test('has no signature when the app is gone meanwhile; the runner reports it', async () => {
    const config = { zak_token_url: 'https://a.example/zak' };
    expect(await zoomOf(dependencies(null), await bot(config), nowMs)).toMatchObject({
      zakTokenUrl: 'https://a.example/zak',
      sdk: null,
    });
  });

  test.each([[{ credential_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11' }], [{ credential_user_id: 'u-1' }]])(
    'is requested at the join with %j: neither token nor signature travels before',
    async (config) => {
      expect(await zoomOf(dependencies(), await bot(config), nowMs)).toEqual({
        obfToken: null,
        obfTokenUrl: null,
        zakTokenUrl: null,
        storedCredential: true,
        extra: { customer: 'c-1' },
        sdk: null,
      });
    },
  );
});
