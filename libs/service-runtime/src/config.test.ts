import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigurationError, flag, integer, loadConfig, secret, textList, withDefault } from './config.ts';

const shape = {
  port: integer(1, 65_535),
  internalSecret: secret(8),
  poolSize: withDefault(integer(1, 100), 10),
  allowed: withDefault(textList(), []),
  verbose: withDefault(flag(), false),
  publicUrl: z.url().optional(),
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

  test('says which required setting is missing; an empty one counts as missing', () => {
    expect(() => loadConfig(shape, { ...good, RAPPORTEUR_PORT: '' })).toThrow(/RAPPORTEUR_PORT is missing/);
  });

  test('keeps numbers inside their range', () => {
    expect(() => loadConfig(shape, { ...good, RAPPORTEUR_POOL_SIZE: '101' })).toThrow(/must be at most 100/);
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
