import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@rapporteur/service-runtime';
import { gatewayConfig } from './config.ts';

const good = {
  RAPPORTEUR_PORT: '0',
  RAPPORTEUR_ADMIN_PORT: '0',
  RAPPORTEUR_ADMIN_TOKEN: 'x'.repeat(32),
  RAPPORTEUR_DATABASE_URL: 'postgres://localhost/identity',
  RAPPORTEUR_BUS_URL: 'nats://localhost',
  RAPPORTEUR_INTERNAL_SECRET: 'x'.repeat(32),
  RAPPORTEUR_BOT_SCHEDULER_URL: 'http://bot-scheduler:3000/',
  RAPPORTEUR_DELIVERY_URL: 'https://delivery.internal/base/',
  RAPPORTEUR_CALENDAR_SYNC_URL: 'http://calendar-sync:3000',
  RAPPORTEUR_SSO_IDP_URL: 'http://sso-idp:3000',
  RAPPORTEUR_STORAGE_CONFIG_URL: 'http://storage-config:3000',
};

describe('the settings of the gateway', () => {
  test('take the addresses of owners with or without a slash at the end', () => {
    expect(loadConfig(gatewayConfig, good)).toMatchObject({
      botSchedulerUrl: 'http://bot-scheduler:3000',
      deliveryUrl: 'https://delivery.internal/base',
      calendarSyncUrl: 'http://calendar-sync:3000',
      ssoIdpUrl: 'http://sso-idp:3000',
    });
  });

  test('take origins of web pages, and no limit of reads unless one is set', () => {
    const given = { ...good, RAPPORTEUR_CORS_ORIGINS: 'https://app.example.com, http://localhost:5173' };
    expect(loadConfig(gatewayConfig, given)).toMatchObject({
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    });
    expect(loadConfig(gatewayConfig, good)).toMatchObject({ corsOrigins: [] });
    expect(loadConfig(gatewayConfig, good)).not.toHaveProperty('readsPerSecond');
  });

  test.each(['*', 'app.example.com', 'https://app.example.com/', 'https://app.example.com/path', 'null'])(
    'refuse the origin %s',
    (origin) => {
      expect(() => loadConfig(gatewayConfig, { ...good, RAPPORTEUR_CORS_ORIGINS: origin })).toThrow(
        'RAPPORTEUR_CORS_ORIGINS has a value that does not fit: must be a list of origins',
      );
    },
  );

  test.each(['BOT_SCHEDULER_URL', 'CALENDAR_SYNC_URL', 'DELIVERY_URL', 'SSO_IDP_URL', 'STORAGE_CONFIG_URL'])(
    'refuse a %s without http or https',
    (name) => {
      expect(() => loadConfig(gatewayConfig, { ...good, [`RAPPORTEUR_${name}`]: 'bot-scheduler:3000' })).toThrow(
        `RAPPORTEUR_${name} has a value that does not fit: must be an http or https address`,
      );
    },
  );
});
