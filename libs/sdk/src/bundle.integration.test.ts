import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { createRapporteurClient } from './index.ts';
import { responded, startStubService } from './testing/stub-service.ts';
import type { StubService } from './testing/stub-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'sdk-bundle-'));
let service: StubService;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the SDK bundles for browsers, without anything of Node, and works from that bundle', async () => {
  const outfile = join(folder, 'sdk.mjs');
  // Stops with an error when anything imports a module that browsers do not have.
  await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    outfile,
    logLevel: 'silent',
  });
  const sdk = (await import(outfile)) as { createRapporteurClient: typeof createRapporteurClient };
  service.replies = [responded({ data: { message: 'Leaving.' } })];
  const client = sdk.createRapporteurClient({ baseUrl: service.url, apiKey: 'rap_test' });
  expect(await client.leaveBot({ bot_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11' })).toEqual({ message: 'Leaving.' });
});
