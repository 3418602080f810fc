import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@rapporteur/service-runtime';
import { ssoConfig } from './config.ts';

const good = {
  RAPPORTEUR_PORT: '0',
  RAPPORTEUR_DATABASE_URL: 'postgres://localhost/sso',
  RAPPORTEUR_BUS_URL: 'nats://127.0.0.1:4222',
  RAPPORTEUR_INTERNAL_SECRET: 'x'.repeat(32),
  RAPPORTEUR_SECRET_KEY: 'x'.repeat(44),
  RAPPORTEUR_BOT_SCHEDULER_URL: 'http://127.0.0.1:1',
  RAPPORTEUR_PUBLIC_URL: 'https://api.example.test',
};

describe('the settings of sso-idp', () => {
  test('lead to the platform itself, or to another base address', () => {
    expect(loadConfig(ssoConfig, { ...good, RAPPORTEUR_ZOOM_API_URL: 'http://127.0.0.1:4000/zoom/' })).toMatchObject({
      zoomOauthUrl: 'https://zoom.us',
      zoomApiUrl: 'http://127.0.0.1:4000/zoom',
    });
  });

  test.each(['ZOOM_OAUTH_URL', 'ZOOM_API_URL'])('refuse an %s without http or https', (name) => {
    expect(() => loadConfig(ssoConfig, { ...good, [`RAPPORTEUR_${name}`]: 'zoom:443' })).toThrow(
      `RAPPORTEUR_${name} has a value that does not fit: must be an http or https address`,
    );
  });
});
