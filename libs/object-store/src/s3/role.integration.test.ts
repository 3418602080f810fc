import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { ReceivedCall, Receiver } from '@rapporteur/testbed/receiver';
import { verifySignedPath } from '../signed-path.ts';
import { openS3Store } from './s3-store.ts';

/** Serves as the bucket, as STS, as the agent of EKS Pod Identity, and as a proxy to them. */
let server: Receiver;
let address: string;
const folder = mkdtempSync(join(tmpdir(), 'rapporteur-role-'));
const tokenFile = join(folder, 'token');
const roleRequests: string[] = [];
/** Access key and session token of each request to the bucket. */
const signatures: string[] = [];
/** Those that requests to the proxy name. */
const hosts: string[] = [];
let expiresInMs = 3_600_000;

beforeAll(async () => {
  writeFileSync(tokenFile, 'token-of-the-pod');
  server = await startReceiver((call, response) => {
    const { status, body } = respond(call);
    response.writeHead(status).end(body);
  });
  address = server.url;
});
beforeEach(() => {
  roleRequests.length = 0;
  signatures.length = 0;
  hosts.length = 0;
  expiresInMs = 3_600_000;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function respond({ path: given, headers, body }: ReceivedCall): { status: number; body: string } {
  const { host, pathname: url } = new URL(given, address);
  if (given.startsWith('http:')) hosts.push(host);
  if (url.startsWith('/bucket/')) {
    const [, key] = /Credential=([^/]+)/.exec(headers.authorization ?? '') ?? [];
    signatures.push(`${key} ${String(headers['x-amz-security-token'])}`);
    return { status: 404, body: '' };
  }
  roleRequests.push(url === '/identity' ? `identity ${headers.authorization}` : `sts ${String(body)}`);
  const expiration = new Date(Date.now() + expiresInMs).toISOString();
  const number = roleRequests.length;
  if (url === '/identity')
    return {
      status: 200,
      body: JSON.stringify({
        AccessKeyId: `AKID${number}`,
        SecretAccessKey: 'secret',
        Token: `session${number}`,
        Expiration: expiration,
      }),
    };
  return {
    status: 200,
    body: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>AKID${number}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>session${number}</SessionToken><Expiration>${expiration}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
  };
}

/** Two reads by another process: the SDK reads its environment once. */
async function readTwice(environment: Record<string, string>, endpoint = address, agentOptions = {}): Promise<void> {
  const script = `
    const { openS3Store } = await import(${JSON.stringify(join(import.meta.dirname, 's3-store.ts'))});
    const store = openS3Store({ endpoint: ${JSON.stringify(endpoint)}, region: 'eu-central-1', bucket: 'bucket', forcePathStyle: true, maxAttempts: 1, agentOptions: ${JSON.stringify(agentOptions)} });
    await store.head('a');
    await store.head('b');
    await store.close();`;
  const env = { PATH: process.env['PATH'], HOME: folder, AWS_REGION: 'eu-central-1', ...environment };
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, args, { env, timeout: 120_000 });
}

test('the role of a ServiceAccount (IRSA) is assumed with its token, once while it lasts', async () => {
  await readTwice({
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/recordings',
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    AWS_ENDPOINT_URL_STS: address,
  });
  expect(roleRequests).toEqual([expect.stringMatching(/^sts .*Action=AssumeRoleWithWebIdentity/)]);
  expect(roleRequests[0]).toContain('WebIdentityToken=token-of-the-pod');
  expect(signatures).toEqual(['AKID1 session1', 'AKID1 session1']);
});

test('a proxy is used for the store and for its role', async () => {
  const environment = {
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/recordings',
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    AWS_ENDPOINT_URL_STS: 'http://sts.example.com',
  };
  await readTwice(environment, 'http://s3.example.com', { proxyEnv: { HTTP_PROXY: address } });
  expect(hosts).toEqual(['sts.example.com', 's3.example.com', 's3.example.com']);
  expect(signatures).toEqual(['AKID1 session1', 'AKID1 session1']);
});

test('EKS Pod Identity gets a request with the token of the pod, and another once its credentials have expired', async () => {
  // Within the SDK's margin it renews in parallel with the request; after the expiry it renews before.
  expiresInMs = -1_000;
  await readTwice({
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/identity`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile,
  });
  expect(roleRequests).toContain('identity token-of-the-pod');
  const [first = '', second = ''] = signatures;
  expect([first, second]).toEqual([
    expect.stringMatching(/^AKID\d+ session\d+$/),
    expect.stringMatching(/^AKID\d+ session\d+$/),
  ]);
  expect(second).not.toBe(first);
});

test('links are signed for the server that is named, so that they outlive temporary credentials', async () => {
  const links = { signedUrlBase: 'https://files.example.com/artifacts', signingSecret: 'x'.repeat(32) };
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' };
  const store = openS3Store({ region: 'eu-central-1', bucket: 'bucket', credentials, links });
  const nowMs = Date.now();
  const url = new URL(await store.signedGetUrl('bots/one/video.mp4', { expiresAtMs: nowMs + 4 * 3_600_000 }));
  await store.close();
  expect(url.origin).toBe('https://files.example.com');
  const request = { method: 'GET', encodedKey: url.pathname.slice('/artifacts/'.length), query: url.searchParams };
  const signed = verifySignedPath(links.signingSecret, { ...request, nowMs: nowMs + 3 * 3_600_000 });
  expect(signed.key).toBe('bots/one/video.mp4');
});
