import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { generatePair } from '../logins/key-pairs.ts';
import { signedResponse } from './saml-response.ts';

// Measures CPU time, which `npm test` does not.
const count = 1_000;
const signaturesPerResponse = 2;

function perCpuSecond(work: () => void): number {
  for (let warmUp = 0; warmUp < 200; warmUp += 1) work();
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (count / (user + system)) * 1_000_000;
}

test('signing a response costs at most twice its RSA signatures', async () => {
  const { certPem, keyPem } = await generatePair('example.com', Date.now());
  const key = createPrivateKey(keyPem);
  const signing = { key, certificate: new X509Certificate(certPem).raw.toString('base64') };
  const bytes = Buffer.alloc(500, 'a');
  const signs = perCpuSecond(() => void sign('RSA-SHA256', bytes, key));
  const parts = {
    issuer: 'https://api.example.test/v2/meet-sso',
    email: 'bot@example.com',
    acsUrl: 'https://www.google.com/a/example.com/acs',
    audience: 'google.com/a/example.com',
    requestId: 'the-request',
    workspaceId: 'a1b2c3d4-0000-4000-8000-000000000000',
  };
  const responses = perCpuSecond(() => void signedResponse({ ...parts, nowMs: Date.now() }, signing));
  const ratio = (responses * signaturesPerResponse) / signs;
  console.info(
    `${responses.toFixed(0)} responses per CPU-second, ${signs.toFixed(0)} RSA signs: ratio ${ratio.toFixed(2)}`,
  );
  expect(ratio).toBeGreaterThanOrEqual(0.5);
}, 60_000);
