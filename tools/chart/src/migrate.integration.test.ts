import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApps } from '@rapporteur/packer';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { runProgram } from './helm.ts';
import { root } from './secrets.ts';

const services = [
  'api-gateway',
  'bot-scheduler',
  'calendar-sync',
  'console',
  'delivery',
  'sso-idp',
  'storage-config',
  'transcriber',
];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const migrate = (service: string) =>
  runProgram(process.execPath, [join(root, 'apps', service, 'src/main.ts'), 'migrate'], {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    RAPPORTEUR_DATABASE_URL: database.url,
  });

test('all services migrate their schemas of one database at the same time, with its address alone', async () => {
  const results = await Promise.all(services.map(migrate));
  for (const [index, { code, output }] of results.entries()) {
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining(`The schema of ${services[index]} is what this build needs.`),
    });
  }
});

test('a schema that is migrated stays as it is', async () => {
  expect(await migrate('storage-config')).toMatchObject({ code: 0 });
});

test('a packed service opens its database where no package is installed, as in its image', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-chart-'));
  try {
    await buildApps(root, folder, ['delivery']);
    // TypeORM also searches the working directory for drivers.
    const options = { cwd: folder, env: { RAPPORTEUR_DATABASE_URL: database.url }, timeout: 120_000 };
    const { stdout } = await promisify(execFile)(process.execPath, ['delivery/main.js', 'migrate'], options);
    expect(stdout).toContain('The schema of delivery is what this build needs.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
