import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

let team: OwnTeam;
let api: OwnTeam['api'];
let simulator: OwnTeam['simulator'];
/** The app of the simulated Zoom, for its accounts and its meetings. */
let app: { readonly client_id: string; readonly client_secret: string };

beforeAll(async () => {
  team = await createOwnTeam();
  ({ api, simulator } = team);
  const { sdkApp } = (await (await fetch(`${team.simulatorUrl}/info`)).json()) as {
    sdkApp: { key: string; secret: string };
  };
  app = { client_id: sdkApp.key, client_secret: sdkApp.secret };
}, 180_000);

const userId = 'e2e-user';

/** The result for a customer after a user's consent. */
async function consent() {
  const response = await fetch(`${team.simulatorUrl}/zoom/consents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  });
  const { code, redirectUri } = (await response.json()) as { code: string; redirectUri: string };
  return { authorization_code: code, redirect_uri: redirectUri };
}
const room = () => simulator.startRoom({ platform: 'zoom', zoom: { sdkAccount: 'external' }, speakers: 2 });

describe('a stored Zoom credential', () => {
  test('lets a bot into a meeting of another account; taken back, it reports it; authorised anew, it works again', async () => {
    const credential = await api.sdk.createZoomCredential({ body: { name: 'Ada', ...app, ...(await consent()) } });
    expect(credential).toMatchObject({ credential_type: 'user', zoom_user_id: userId, state: 'active' });
    const { credential_id } = credential;

    const first = await room();
    const alpha_config = { credential_user_id: userId };
    const botId = await api.createBot({ bot_name: 'By user', meeting_url: first.url, alpha_config });
    await api.waitForStatus(botId, ['in_call_recording'], 120_000);
    await api.sdk.leaveBot({ bot_id: botId });
    const recorded = await api.waitForStatus(botId, ['completed'], 60_000);
    expect(recorded).toMatchObject({ error_code: null, alpha_config: { credential_user_id: userId } });
    expect(recorded.participants.length).toBeGreaterThanOrEqual(2);

    await simulator.post(`/zoom/users/${userId}/revoke`);
    const second = await room();
    const body = { bot_name: 'By id', meeting_url: second.url, alpha_config: { credential_id } };
    const failed = await api.waitForStatus(await api.createBot(body), ['failed'], 90_000);
    expect(failed.error_code).toBe('ALPHA_OBF_TOKEN_ERROR');
    expect(failed.error_message).toMatch(/stored Zoom credential is invalid.*authorise the app again/);
    expect(await api.sdk.getZoomCredential({ credential_id })).toMatchObject({
      state: 'invalid',
      last_error_message: expect.stringMatching(/invalid_grant/),
    });
    expect(await api.call('POST', '/v2/bots', body)).toMatchObject({
      status: 422,
      body: { code: 'FST_ERR_CREDENTIAL_UNUSABLE', details: 'alpha_config.credential_id' },
    });

    await api.sdk.updateZoomCredential({ credential_id, body: await consent() });
    const again = await api.waitForStatus(await api.createBot(body), ['in_call_recording'], 120_000);
    expect(again.error_code).toBeNull();
    await api.sdk.leaveBot({ bot_id: again.bot_id });

    for (const name of readdirSync(join(team.dataFolder, 'logs'))) {
      const log = readFileSync(join(team.dataFolder, 'logs', name), 'utf8');
      expect({
        name,
        holds: /simulated-(code|access|refresh|obf)-/.test(log) || log.includes(app.client_secret),
      }).toEqual({
        name,
        holds: false,
      });
    }
  }, 420_000);
});
