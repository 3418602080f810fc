import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { runProgram } from './helm.ts';
import { root } from './secrets.ts';

const services = [
  'api-gateway',
  'bot-scheduler',
  'calendar-sync',
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
