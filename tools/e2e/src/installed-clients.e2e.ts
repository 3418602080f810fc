import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packPackages } from '@rapporteur/packer';
import { installPythonClient } from '@rapporteur/testbed';
import { createOwnTeam } from './shared-stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
/** From the bot's admission, however long its start takes. */
const hostEnds = { kind: 'host-ends', on: 'admitted', afterSeconds: 10 };
let folder: string;
let environment: NodeJS.ProcessEnv;
let meetingUrl: () => Promise<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-clients-'));
  const { apiUrl, apiKey, simulator } = await createOwnTeam();
  environment = { PATH: process.env['PATH'], RAPPORTEUR_API_URL: apiUrl, RAPPORTEUR_API_KEY: apiKey };
  meetingUrl = async () => (await simulator.startRoom({ speakers: 1, faults: [hostEnds] })).url;
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A completed recording whose video can be downloaded. */
async function expectRecorded(stdout: string): Promise<void> {
  const [status, endReason, video = ''] = stdout.trim().split(' ');
  expect([status, endReason]).toEqual(['completed', expect.any(String)]);
  const response = await fetch(video);
  expect(response.status).toBe(200);
  expect((await response.bytes()).byteLength).toBeGreaterThan(10_000);
}

test('the program of the README of the SDK, with the packed SDK in a project of its own, records a meeting', async () => {
  const tarballs = await packPackages(root, ['sdk'], folder);
  const readme = await readFile(join(root, 'libs/sdk/README.md'), 'utf8');
  const program = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(12);
  await writeFile(join(folder, 'record.mjs'), program);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  const words = [join(folder, 'record.mjs'), await meetingUrl()];
  await expectRecorded((await run(process.execPath, words, { env: environment, cwd: folder })).stdout);
});

test('the example of the Python client, with its wheel in an environment of its own, records a meeting', async () => {
  const python = await installPythonClient();
  const words = [join(root, 'clients/python/examples/record.py'), await meetingUrl()];
  await expectRecorded((await run(python, words, { env: environment })).stdout);
});
