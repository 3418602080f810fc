import { describe, expect, test } from '@jest/globals';
import { readOptions } from './options.ts';
import { serviceDefinitions } from './services.ts';
import type { StackParts } from './services.ts';

describe('the options of npm start', () => {
  test('have defaults that need no words', () => {
    expect(readOptions([], '/srv/app')).toEqual({
      dataFolder: '/srv/app/.rapporteur',
      ports: { api: 8080, files: 8081, simulator: 8090 },
      simulator: true,
      maxConcurrentBots: 4,
      logLevel: 'info',
    });
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

describe('the settings of the apps', () => {
  const parts = {
    root: '/srv/app',
    folder: {
      secrets: { internal: 'i', admin: 'a', signing: 's', deliveryKey: 'd', schedulerKey: 'k', ssoKey: 'o' },
      objects: '/o',
      runs: '/r',
    },
    ports: {},
    options: readOptions([], '/srv/app'),
    servers: { databaseUrl: 'postgres://x', busUrl: 'nats://x', serviceCredentials: 'c', accountSeed: 'SA' },
    addresses: {},
    simulator: null,
    runnerEntry: '/srv/app/main.js',
  } as unknown as StackParts;

  test('give the account seed only to the scheduler and the admin token only to the gateway', () => {
    const holders = (name: string) =>
      serviceDefinitions(parts)
        .filter(({ environment = {} }) => name in environment)
        .map((definition) => definition.name);
    expect(holders('RAPPORTEUR_BUS_ACCOUNT_SEED')).toEqual(['bot-scheduler']);
    expect(holders('RAPPORTEUR_ADMIN_TOKEN')).toEqual(['api-gateway']);
    expect(holders('RAPPORTEUR_SIGNING_SECRET')).toEqual(['storage-config']);
  });

  test('give every service that keeps secrets a key of its own', () => {
    const keys = serviceDefinitions(parts).flatMap(({ name, environment = {} }) => {
      const key = environment['RAPPORTEUR_SECRET_KEY'];
      return key === undefined ? [] : [[name, key]];
    });
    expect(keys).toEqual([
      ['delivery', 'd'],
      ['sso-idp', 'o'],
      ['bot-scheduler', 'k'],
    ]);
  });

  test('know no simulator when it is switched off', () => {
    expect(JSON.stringify(serviceDefinitions(parts))).not.toContain('SIMULATOR');
  });

  test('lead stored credentials to the simulator where there is one, and to the real platform where there is none', () => {
    const simulated = { ...parts, addresses: { ...parts.addresses, simulator: 'http://sim' } };
    const settingsOf = (given: StackParts) =>
      serviceDefinitions(given).find(({ name }) => name === 'sso-idp')?.environment ?? {};
    const facts = { sdkApp: { key: 'k', secret: 's' }, linkHosts: {} } as unknown as StackParts['simulator'];
    expect(settingsOf({ ...simulated, simulator: facts })).toMatchObject({
      RAPPORTEUR_ALPHA_OAUTH_URL: 'http://sim/zoom',
      RAPPORTEUR_ALPHA_API_URL: 'http://sim/zoom',
      RAPPORTEUR_ALLOWED_ADDRESSES: 'loopback',
    });
    expect(Object.keys(settingsOf(simulated)).join()).not.toMatch(/ALPHA|ALLOWED|HTTPS/);
  });

  test('stop the scheduler first, so that its bots can finish while the others answer', () => {
    expect(serviceDefinitions(parts).at(-1)?.name).toBe('bot-scheduler');
  });
});
