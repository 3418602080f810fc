import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { givenEngines, readGivenSettings } from './given-settings.ts';
import { readOptions } from './options.ts';
import { modelFor, serviceDefinition, services } from './services.ts';
import type { StackDependencies } from './services.ts';

describe('the options of npm start', () => {
  test('have defaults that need no words', () => {
    expect(readOptions([], '/srv/app')).toEqual({
      dataFolder: '/srv/app/.rapporteur',
      ports: { api: 8080, files: 8081, simulator: 8090, simulatorHttps: 0 },
      simulator: true,
      maxConcurrentBots: 4,
      logLevel: 'info',
      dev: false,
    });
  });

  test('are not read when the usage is requested', () => {
    expect(readOptions(['--help'], '/srv/app')).toBeNull();
    expect(readOptions(['--api-port=9080', '-h'], '/srv/app')).toBeNull();
  });

  test.each([
    [['--api-prot=1'], 'api-prot'],
    [['--api-port=eighty'], '--api-port wants a whole number from 0 to 65535'],
    [['--log-level=loud'], '--log-level wants one of debug, info, warn, error'],
    [['extra'], 'extra'],
  ])('refuse %j with a sentence and the usage', (words, sentence) => {
    expect(() => readOptions(words, '/srv/app')).toThrow(sentence);
    expect(() => readOptions(words, '/srv/app')).toThrow('--data-folder FOLDER');
  });
});

describe('the settings of the environment', () => {
  const root = join(import.meta.dirname, '../../..');
  const names = services.map(({ name }) => name);
  const read = async (given: Record<string, string>) =>
    Object.fromEntries(await readGivenSettings(root, names, { PATH: '/bin', ...given }));

  test('go to the service that has them', async () => {
    expect(
      await read({
        RAPPORTEUR_OIDC_ISSUER: 'https://login.example.com',
        RAPPORTEUR_GRAFANA_URL: 'https://grafana.example.com',
        RAPPORTEUR_DEEPGRAM_API_KEY: 'key',
        RAPPORTEUR_LIVE_SONIOX_API_KEY: 'key',
        RAPPORTEUR_GOOGLE_CLIENT_ID: 'id',
        RAPPORTEUR_PAGE_PACKS: 'packs',
        RAPPORTEUR_MODEL: 'base',
        RAPPORTEUR_API_KEY: 'of the command line',
        RAPPORTEUR_TRACES_URL: '',
      }),
    ).toEqual({
      console: { OIDC_ISSUER: 'https://login.example.com', GRAFANA_URL: 'https://grafana.example.com' },
      transcriber: { DEEPGRAM_API_KEY: 'key' },
      'bot-scheduler': { LIVE_SONIOX_API_KEY: 'key', PAGE_PACKS: resolve('packs') },
      'calendar-sync': { GOOGLE_CLIENT_ID: 'id' },
      whisper: { MODEL: 'base' },
    });
  });

  test('of a proxy go to every service with requests to other machines, and to bots, but not for this machine', async () => {
    const proxy = { HTTPS_PROXY: 'http://10.0.0.9:3128', NO_PROXY: '127.0.0.1,localhost,.localhost,.example.com' };
    const given = await read({ RAPPORTEUR_HTTPS_PROXY: proxy.HTTPS_PROXY, RAPPORTEUR_NO_PROXY: '.example.com' });
    expect(given).toEqual({
      'storage-config': proxy,
      delivery: proxy,
      'sso-idp': proxy,
      'calendar-sync': proxy,
      console: proxy,
      transcriber: proxy,
      'bot-scheduler': { RUNNER_HTTPS_PROXY: proxy.HTTPS_PROXY, RUNNER_NO_PROXY: proxy.NO_PROXY },
    });
  });

  test('that no service has, or that the stack sets, stop the start by name', async () => {
    await expect(
      read({ RAPPORTEUR_ODIC_ISSUER: 'x', RAPPORTEUR_DATABASE_URL: 'y', RAPPORTEUR_ADMIN_TOKEN: 'z' }),
    ).rejects.toThrow(
      [
        'The environment does not fit:',
        '- RAPPORTEUR_ODIC_ISSUER is not a setting of any service.',
        '- RAPPORTEUR_DATABASE_URL is a setting of storage-config, delivery, sso-idp, calendar-sync, console, api-gateway, transcriber, bot-scheduler, and npm start does not pass it.',
        '- RAPPORTEUR_ADMIN_TOKEN is a setting of api-gateway, and npm start does not pass it.',
      ].join('\n'),
    );
  });

  test('with the key of a vendor make it an engine', () => {
    const given = new Map([
      ['transcriber', { DEEPGRAM_API_KEY: 'k', OPENAI_COMPATIBLE_URL: 'http://x' }],
      ['bot-scheduler', { LIVE_ELEVENLABS_API_KEY: 'k' }],
    ]);
    expect(givenEngines(given)).toEqual({ batch: ['deepgram', 'openai-compatible'], live: ['elevenlabs'] });
  });
});

describe('the settings of the apps', () => {
  const dependencies = {
    root: '/srv/app',
    folder: {
      secrets: { internal: 'i', admin: 'a', signing: 's' },
      secretKeyOf: (service: string) => `key of ${service}`,
      formerSecretKeysOf: () => null,
      objects: '/o',
      runs: '/r',
    },
    ports: {
      ...Object.fromEntries(services.flatMap((service) => service.ports.map((name, index) => [name, 7_000 + index]))),
      simulator: 8090,
    },
    options: readOptions([], '/srv/app'),
    given: new Map(),
    servers: { databaseUrl: 'postgres://x', busUrl: 'nats://x', serviceCredentials: 'c', accountSeed: 'SA' },
    simulator: Promise.resolve(null),
    entryOf: async (app: string) => `/srv/app/packed/${app}/main.js`,
  } as unknown as StackDependencies;
  const definitions = (given: StackDependencies = dependencies) =>
    Promise.all(services.map((service) => serviceDefinition(service, given)));
  const holders = async (name: string): Promise<string[]> =>
    (await definitions()).filter(({ environment = {} }) => name in environment).map((definition) => definition.name);

  test('give the account seed only to the scheduler and the admin token only to the gateway', async () => {
    expect(await holders('RAPPORTEUR_BUS_ACCOUNT_SEED')).toEqual(['bot-scheduler']);
    expect(await holders('RAPPORTEUR_ADMIN_TOKEN')).toEqual(['api-gateway']);
    expect(await holders('RAPPORTEUR_SIGNING_SECRET')).toEqual(['storage-config']);
  });

  test('give every service that keeps secrets a key of its own', async () => {
    const keys = (await definitions()).flatMap(({ name, environment = {} }) => {
      const key = environment['RAPPORTEUR_SECRET_KEY'];
      return key === undefined ? [] : [[name, key]];
    });
    expect(keys).toEqual(
      ['storage-config', 'delivery', 'sso-idp', 'calendar-sync', 'console', 'bot-scheduler'].map((name) => [
        name,
        `key of ${name}`,
      ]),
    );
  });

  test('start every app and every bot from its packed file', async () => {
    const all = await definitions();
    expect(all.map(({ entry }) => entry)).toEqual(services.map(({ name }) => `/srv/app/packed/${name}/main.js`));
    expect(all.at(-1)?.environment).toMatchObject({ RAPPORTEUR_RUNNER_ENTRY: '/srv/app/packed/bot-runner/main.js' });
  });

  test('give the console its address where users sign in by OpenID Connect', async () => {
    const given = new Map([['console', { OIDC_ISSUER: 'https://login.example.com' }]]);
    const environments = (await definitions({ ...dependencies, given })).map(({ environment }) => environment);
    const { RAPPORTEUR_PUBLIC_URL: address } = environments.find((one) => one?.['RAPPORTEUR_OIDC_ISSUER']) ?? {};
    expect(address).toBe('http://127.0.0.1:7000');
    expect((await definitions()).find(({ name }) => name === 'console')?.environment).not.toHaveProperty(
      'RAPPORTEUR_PUBLIC_URL',
    );
  });

  test('take the larger model of the local engine where the machine has room', () => {
    const gigabyte = 2 ** 30;
    expect([modelFor(4, 7.6 * gigabyte), modelFor(2, 16 * gigabyte), modelFor(8, 4 * gigabyte)]).toEqual([
      'base',
      'tiny.en',
      'tiny.en',
    ]);
  });

  test('know no simulator when it is switched off', async () => {
    expect(JSON.stringify(await definitions())).not.toContain('SIMULATOR');
  });

  test('name the simulator for its own credentials where there is one', async () => {
    const settingsOf = async (given: StackDependencies) =>
      (await definitions(given)).find(({ name }) => name === 'sso-idp')?.environment ?? {};
    const facts = { sdkApp: { key: 'k', secret: 's' }, linkHosts: {} } as never;
    expect(await settingsOf({ ...dependencies, simulator: Promise.resolve(facts) })).toMatchObject({
      RAPPORTEUR_SIMULATED_ZOOM_URL: 'http://127.0.0.1:8090/zoom',
      RAPPORTEUR_ALLOWED_ADDRESSES: 'loopback',
    });
    expect(Object.keys(await settingsOf(dependencies)).join()).not.toMatch(/ALPHA|ALLOWED|HTTPS/);
  });

  test('answer for no vendor: simulated providers have names of their own', async () => {
    const facts = { sdkApp: { key: 'k', secret: 's' }, linkHosts: {} } as never;
    const all = await definitions({ ...dependencies, simulator: Promise.resolve(facts) });
    const settings = all.flatMap(({ environment = {} }) => Object.entries(environment));
    const valuesOf = (suffix: string) =>
      settings.filter(([name]) => name.endsWith(suffix)).flatMap(([, value]) => value.split(','));
    const names = [...valuesOf('PROVIDER_ADDRESSES'), ...valuesOf('TRANSCRIPTION_ENGINES')];
    expect(names).toContain('simulated-deepgram=http://127.0.0.1:8090/speech/deepgram');
    expect(settings.map(([name]) => name).join()).not.toMatch(/(GOOGLE|MICROSOFT|ZOOM)_(OAUTH|API)/);
    expect(names.filter((name) => !name.startsWith('simulated-'))).toEqual([]);
    expect(settings.map(([name]) => name).filter((name) => name.endsWith('_API_KEY'))).toEqual([]);
  });

  test('name the port that nothing listens on', async () => {
    await expect(definitions({ ...dependencies, ports: { files: 1 } })).rejects.toThrow(
      'No service of the local stack',
    );
  });

  test('stop the scheduler first, so that its bots can finish while the others respond', () => {
    expect(services.at(-1)?.name).toBe('bot-scheduler');
  });
});
