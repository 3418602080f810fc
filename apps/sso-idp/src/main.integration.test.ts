import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceProcesses, waitFor } from '@rapporteur/testbed';
import { shown, startSsoUnderTest } from './testing/sso-under-test.ts';
import type { SsoUnderTest } from './testing/sso-under-test.ts';

let sso: SsoUnderTest;
const processes = serviceProcesses(join(import.meta.dirname, 'main.ts'));
beforeAll(async () => {
  sso = await startSsoUnderTest();
}, 60_000);
afterAll(async () => {
  await processes.killAll();
  await sso.stop();
});

const startProcess = (changes: Record<string, string> = {}) =>
  processes.start({ ...sso.environment, RAPPORTEUR_LOG_LEVEL: 'debug', ...changes });

describe('the process', () => {
  test('is ready, keeps every secret out of its log whatever happens, and ends on SIGTERM', async () => {
    const service = await startProcess();
    const { output } = service;
    const [url = ''] = service.urls;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const teamId = randomUUID();
    const api = sso.api(url, teamId);
    const code = await sso.zoom.consent({ userId: 'u-process' });
    const body = { name: 'Ours', ...sso.app, ...code };
    const credentialId = shown(await api('POST', '', body), 201).credential_id;
    expect((await api('POST', '', { ...body, client_secret: 'a-wrong-secret-canary' })).status).toBe(422);
    expect((await api('POST', '', { ...body, name: 7 })).status).toBe(400);
    expect(await sso.joinToken(url, { teamId, credentialId })).toMatchObject({ outcome: 'token' });
    await sso.zoom.revoke('u-process');
    expect(await sso.joinToken(url, { teamId, credentialId })).toMatchObject({ outcome: 'refused' });
    await waitFor(() => output().includes('A stored credential is invalid now'), { what: 'the warning' });
    for (const secret of [
      sso.app.client_secret,
      code.authorization_code,
      'canary',
      'simulated-access',
      'simulated-refresh',
    ])
      expect({ secret, logged: output().includes(secret) }).toEqual({ secret, logged: false });
    expect(await service.end('SIGTERM')).toBe(0);
  }, 60_000);

  test('does not start with a key of the wrong size, and does not show it', async () => {
    const key = Buffer.from('too short for a key, too long for 44').toString('base64');
    const { child, output } = await startProcess({ RAPPORTEUR_SECRET_KEY: key });
    expect(child.exitCode).not.toBe(0);
    expect(output()).toMatch(/32 random bytes/);
    expect(output()).not.toContain(key);
  }, 60_000);
});
