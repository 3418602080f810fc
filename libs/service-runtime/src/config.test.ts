import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ConfigurationError, flag, httpUrl, integer, loadConfig, secret, textList, withDefault } from './config.ts';

const shape = {
  port: integer(1, 65_535),
  internalSecret: secret(8),
  poolSize: withDefault(integer(1, 100), 10),
  allowed: withDefault(textList(), []),
  verbose: withDefault(flag(), false),
  publicUrl: httpUrl().optional(),
};
const good = { RAPPORTEUR_PORT: '8080', RAPPORTEUR_INTERNAL_SECRET: 'correct horse' };

describe('configuration', () => {
  test('is read from RAPPORTEUR_ variables, with defaults for what is left out', () => {
    const config = loadConfig(shape, { ...good, PATH: '/bin', RAPPORTEUR_ALLOWED: ' loopback, 10.0.0.0/8 ,' });
    expect(config).toMatchObject({ port: 8080, poolSize: 10, verbose: false, allowed: ['loopback', '10.0.0.0/8'] });
    expect(config.internalSecret.reveal()).toBe('correct horse');
  });

  test('refuses a variable it does not know, so that a typing error cannot leave a default in force', () => {
    expect(() => loadConfig(shape, { ...good, RAPPORTEUR_POOLSIZE: '5' })).toThrow(
      /RAPPORTEUR_POOLSIZE is not a setting of this service/,
    );
  });

  test('names every problem at once and never the value', () => {
    let message = '';
    try {
      loadConfig(shape, { RAPPORTEUR_PORT: 'eighty', RAPPORTEUR_INTERNAL_SECRET: 'short', RAPPORTEUR_VERBOSE: 'yes' });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      message = (error as Error).message;
    }
    expect(message).toContain('RAPPORTEUR_PORT has a value that does not fit: must be a whole number');
    expect(message).toContain(
      'RAPPORTEUR_INTERNAL_SECRET has a value that does not fit: must have at least 8 characters',
    );
    expect(message).toContain('RAPPORTEUR_VERBOSE has a value that does not fit');
    expect(message).not.toContain('eighty');
    expect(message).not.toContain('short');
  });

  test('states which required setting is missing; an empty one counts as missing', () => {
    expect(() => loadConfig(shape, { ...good, RAPPORTEUR_PORT: '' })).toThrow(/RAPPORTEUR_PORT is missing/);
  });

  test('keeps numbers inside their range', () => {
    expect(() => loadConfig(shape, { ...good, RAPPORTEUR_POOL_SIZE: '101' })).toThrow(/must be at most 100/);
  });

  test.each([
    ['http://bot-scheduler:3000', 'http://bot-scheduler:3000'],
    ['http://bot-scheduler:3000/', 'http://bot-scheduler:3000'],
    ['https://files.example.com/recordings//', 'https://files.example.com/recordings'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('takes the address %s, without slashes at its end', (given, taken) => {
    expect(loadConfig(shape, { ...good, RAPPORTEUR_PUBLIC_URL: given }).publicUrl).toBe(taken);
  });

  test.each([
    'bot-scheduler:3000',
    '10.0.0.7:3000',
    'ftp://bot-scheduler',
    'http:bot-scheduler',
    'http://',
    'http:///path',
    'http://bot-scheduler:99999',
    'http://user:password@bot-scheduler',
    'http://bot-scheduler?key=canary',
    ' http://bot-scheduler',
  ])('refuses the address %j and states which setting it is', (given) => {
    const load = () => loadConfig(shape, { ...good, RAPPORTEUR_PUBLIC_URL: given });
    expect(load).toThrow(
      /^The configuration does not fit:\n- RAPPORTEUR_PUBLIC_URL has a value that does not fit: must be an http or https address/,
    );
    expect(load).not.toThrow(/canary|password/);
  });

  test('a secret prints as dots in text, JSON and inspection', () => {
    const { internalSecret } = loadConfig(shape, good);
    const printed = [
      String(internalSecret),
      JSON.stringify({ internalSecret }),
      internalSecret.toString(),
      inspect({ internalSecret }),
    ];
    for (const text of printed) {
      expect(text).not.toContain('horse');
      expect(text).toContain('•');
    }
  });
});
