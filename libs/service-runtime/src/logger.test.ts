import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
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
    ['an error', { err: Object.assign(new Error('no'), { password: canary, config: { ticket: canary } }) }],
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

  test('leaves what it was given as it was', () => {
    const fields = { request: { token: canary } };
    lineOf(() => logger.info(fields, 'Look.'));
    expect(fields).toEqual({ request: { token: canary } });
  });
});
