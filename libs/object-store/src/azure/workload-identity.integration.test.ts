import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { workloadIdentityCredential } from './workload-identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-entra-'));
const tokenFile = join(folder, 'token');
const requests: (readonly [string | undefined, Record<string, string>])[] = [];
let reply: readonly [number, object] = [500, {}];
/** Microsoft Entra ID. */
let server: Receiver;
beforeAll(async () => {
  server = await startReceiver(({ path, body }, response) => {
    requests.push([path, Object.fromEntries(new URLSearchParams(String(body)))]);
    response.writeHead(reply[0], { 'content-type': 'application/json' }).end(JSON.stringify(reply[1]));
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
const getToken = () => {
  const authority = `${server.url}/`;
  const identity = { tenantId: 'tenant', clientId: 'client', tokenFile, authority };
  return workloadIdentityCredential(identity).getToken('https://storage.azure.com/.default');
};

test('the token of the ServiceAccount is read at each exchange', async () => {
  for (const assertion of ['first', 'second']) {
    writeFileSync(tokenFile, `${assertion}\n`);
    reply = [200, { access_token: `of ${assertion}`, expires_in: 3_600, token_type: 'Bearer' }];
    const token = await getToken();
    expect(token?.token).toBe(`of ${assertion}`);
    expect(Math.abs((token?.expiresOnTimestamp ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(requests.at(-1)).toEqual([
      '/tenant/oauth2/v2.0/token',
      {
        grant_type: 'client_credentials',
        client_id: 'client',
        scope: 'https://storage.azure.com/.default',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      },
    ]);
  }
});

test.each([
  [400, { error: 'invalid_client', error_description: 'secret text' }, '(HTTP 400, invalid_client)'],
  [200, { access_token: 7 }, '(HTTP 200)'],
])('a refusal of HTTP %d names its code', async (status, body, words) => {
  writeFileSync(tokenFile, 'token');
  reply = [status, body];
  await expect(getToken()).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining(words) });
});
