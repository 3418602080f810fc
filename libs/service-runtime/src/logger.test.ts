import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createLogger } from './logger.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const logger = createLogger('probe', 'info', sink);
const canary = 'the-canary';

function lineOf(write: () => void): string {
  lines.length = 0;
  write();
  return lines.join('');
}

describe('a log line', () => {
  test('carries service, level, time, fields and sentence', () => {
    expect(JSON.parse(lineOf(() => logger.info({ bots: 2 }, 'Two bots.')))).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-/),
      service: 'probe',
      bots: 2,
      message: 'Two bots.',
    });
  });

  test.each([
    ['a field', { token: canary }],
    ['a field of a field', { request: { authorization: canary, kept: 1 } }],
    ['a field two below', { request: { headers: { 'x-service-api-key': canary } } }],
    ['a field in a list', { keys: [{ secret: canary }] }],
  ])('never carries a secret in %s', (_what, fields) => {
    const line = lineOf(() => logger.error(fields, 'Look.'));
    expect(line).not.toContain(canary);
    expect(line).toContain('••••••');
  });

  test('never carries a secret that a child logger was given', () => {
    expect(lineOf(() => logger.child({ grant: canary, botId: 'b' }).info({}, 'Look.'))).toMatch(
      /"grant":"••••••","botId":"b"/,
    );
  });

  const statement = Object.assign(new Error(`invalid input syntax for type uuid: "${canary}"`), {
    name: 'QueryFailedError',
    code: '22P02',
    query: 'insert into bots values ($1)',
    parameters: [canary],
    driverError: Object.assign(new Error('refused'), { detail: `(${canary})`, where: canary }),
  });
  const thrownBy = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  test.each<[string, unknown]>([
    ['a failed statement', statement],
    ['a cause', new Error('outer', { cause: new Error('middle', { cause: statement }) })],
    ['several errors', new AggregateError([statement, new Error('two', { cause: statement })], 'all')],
    ['a store', Object.assign(new Error('no'), { $response: { headers: { cookie: canary } }, Key: canary })],
    ['an HTTP client', Object.assign(new Error('no'), { config: { data: canary }, response: { data: [canary] } })],
    ['OpenID Connect', new Error('no', { cause: { error: 'invalid_grant', refresh_token: canary } })],
    ['a Kubernetes client', Object.assign(new Error('no'), { body: canary, headers: { a: canary } })],
    ['a parsed text', thrownBy(() => JSON.parse(`{"${canary}`.slice(0, 1) + canary))],
    ['a parsed address', thrownBy(() => new URL(`//${canary}`))],
    ['a link', new Error(`Failed to parse URL from https://u:${canary}@zoom.example/j/1?pwd=${canary}#${canary}`)],
    ['a schema', thrownBy(() => z.strictObject({ a: z.uuid() }).parse({ a: canary }))],
  ])('of an error of %s has no member, parameter or input of it', (_what, error) => {
    for (const fields of [{ err: error }, { failure: { error } }, { reasons: [error] }]) {
      const line = lineOf(() => logger.error(fields, 'Look.'));
      expect(line).not.toContain(canary);
      expect(line).toContain('"stack":"    at ');
    }
  });

  test('of a failed statement has its text, code and constraint', () => {
    const err = Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'bots_pkey', query: 'insert' });
    expect(JSON.parse(lineOf(() => logger.error({ err }, 'Look.')))).toMatchObject({
      err: { type: 'Error', message: 'duplicate key', code: '23505', constraint: 'bots_pkey', statement: 'insert' },
    });
  });

  test('leaves what it was given as it was', () => {
    const fields = { request: { token: canary } };
    lineOf(() => logger.info(fields, 'Look.'));
    expect(fields).toEqual({ request: { token: canary } });
  });
});
