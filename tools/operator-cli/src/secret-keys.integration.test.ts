import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { run } from './run.ts';
import { knownKeys } from './secret-keys.ts';

interface Manifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly stringData: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'operator-cli-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function manifest(...words: string[]) {
  let [printed, complained] = ['', ''];
  const code = await run(['secrets', 'manifest', ...words], {
    folder,
    environment: {},
    runningStacks: [],
    print: (text) => (printed += text),
    complain: (text) => (complained += text),
  });
  return { code, complained, secret: printed === '' ? null : (JSON.parse(printed) as Manifest) };
}

test('a trial needs nothing: every key is fresh, and the address of the database has the password of the bundled one', async () => {
  const { secret } = await manifest('--trial', '--namespace', 'talks', '--release', 'mine');
  const { secret: another } = await manifest('--trial');
  expect(secret?.metadata).toMatchObject({ name: 'rapporteur-secrets', namespace: 'talks' });
  const data = secret?.stringData ?? {};
  expect(data['database-url']).toBe(
    `postgres://rapporteur:${data['bundled-postgresql-password']}@mine-rapporteur-postgresql.talks.svc:5432/rapporteur`,
  );
  expect(Buffer.from(data['delivery-secret-key'] ?? '', 'base64')).toHaveLength(32);
  expect(data['nats-authorization.conf']).toContain('resolver_preload');
  expect(data['simulator-certificate.pem']).toContain('BEGIN CERTIFICATE');
  const same = Object.keys(data).filter((key) => data[key] === another?.stringData[key]);
  expect(same).toEqual([]);
});

test('without a trial the address of the database is needed', async () => {
  const { code, complained, secret } = await manifest();
  expect({ code, secret }).toEqual({ code: 2, secret: null });
  expect(complained).toContain('database-url is missing');
});

test('files give the values of the keys that they are named after', async () => {
  writeFileSync(join(folder, 'database-url'), 'postgres://user:password@db:5432/rapporteur\n');
  writeFileSync(join(folder, 'gladia-api-key'), 'a key');
  const { secret } = await manifest('--values', folder);
  expect(secret?.stringData).toMatchObject({
    'database-url': 'postgres://user:password@db:5432/rapporteur',
    'gladia-api-key': 'a key',
  });
  expect(Object.keys(secret?.stringData ?? {})).not.toContain('simulator-key.pem');
});

test('a file that is no key is refused by name', async () => {
  writeFileSync(join(folder, 'databse-url'), '');
  const { code, complained } = await manifest('--values', folder);
  expect(code).toBe(2);
  expect(complained).toMatch(/databse-url is not a key of the Secret\. Known keys: .*database-url/);
});

test('every key of the Secret that the chart gives to a service is known', () => {
  const chart = join(import.meta.dirname, '../../../helm/rapporteur');
  const environment = readFileSync(join(chart, 'templates/_environment.tpl'), 'utf8');
  const found = (pattern: RegExp): string[] => Array.from(environment.matchAll(pattern), ([, name = '']) => name);
  const sealing = found(/include "rapporteur\.secretKey" "([\w-]+)"/g);
  const schema = readFileSync(join(chart, 'values.schema.json'), 'utf8');
  type Providers = Readonly<Record<'providers' | 'liveProviders', { readonly items: { readonly enum: string[] } }>>;
  const { transcription } = (JSON.parse(schema) as { properties: { transcription: { properties: Providers } } })
    .properties;
  const { providers, liveProviders } = transcription.properties;
  const vendors = [...providers.items.enum, ...liveProviders.items.enum].filter((name) => name !== 'local');
  const keys = [
    ...found(/\{ key: ([a-z][\w.-]+)/g),
    ...sealing.flatMap((service) => [`${service}-secret-key`, `${service}-former-secret-keys`]),
    ...vendors.map((name) => `${name}-api-key`),
  ];
  expect(keys).toEqual(expect.arrayContaining(['database-url', 'delivery-secret-key', 'soniox-api-key']));
  expect(keys.filter((key) => !knownKeys.includes(key))).toEqual([]);
});
