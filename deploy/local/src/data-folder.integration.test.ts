import * as files from 'node:fs';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeDurably } from '@rapporteur/event-bus/durable-file';
import { openDataFolder } from './data-folder.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'rapporteur-data-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

describe('the secrets of an installation', () => {
  test('are made once, differ, and are readable by their user only', () => {
    const names = ['delivery', 'bot-scheduler', 'sso-idp', 'a later service'];
    const read = (): string[] => {
      const folder = openDataFolder(path);
      return [...Object.values(folder.secrets), ...names.map((name) => folder.secretKeyOf(name))];
    };
    const secrets = read();
    expect(read()).toEqual(secrets);
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const key of secrets.slice(-names.length)) expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(statSync(join(path, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('of an older build are kept, and what it did not know yet is added for good', () => {
    const file = join(path, 'secrets.json');
    const older = { internal: 'i', admin: 'a', signing: 's', deliveryKey: 'd' };
    writeFileSync(file, JSON.stringify(older));
    const folder = openDataFolder(path);
    expect(folder.secrets).toEqual({ internal: 'i', admin: 'a', signing: 's' });
    expect(folder.secretKeyOf('delivery')).toBe('d');
    const ssoKey = folder.secretKeyOf('sso-idp');
    expect(ssoKey).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...older, ssoKey });
    expect(openDataFolder(path).secretKeyOf('sso-idp')).toBe(ssoKey);
  });

  test('are flushed before their file has its name, and the folder after that', () => {
    const calls: unknown[] = [];
    const file = join(path, 'key');
    writeDurably(file, 'first');
    writeDurably(file, 'second', {
      ...files,
      writeFileSync: (...given: Parameters<typeof files.writeFileSync>) => {
        calls.push(['write', given[2]]);
        files.writeFileSync(...given);
      },
      renameSync: (from, to) => {
        calls.push('rename');
        files.renameSync(from, to);
      },
      fsyncSync: (descriptor) => {
        calls.push(['flush', files.fstatSync(descriptor).isDirectory(), readFileSync(file, 'utf8')]);
        files.fsyncSync(descriptor);
      },
    });
    expect(calls).toEqual([['write', { mode: 0o600, flush: true }], 'rename', ['flush', true, 'second']]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(files.readdirSync(path)).toEqual(['key']);
  });
});
