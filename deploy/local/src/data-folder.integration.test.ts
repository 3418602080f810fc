import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataFolder } from './data-folder.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'rapporteur-data-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

describe('the secrets of an installation', () => {
  test('are made once, differ, and are readable by their user only', () => {
    const { secrets } = openDataFolder(path);
    expect(openDataFolder(path).secrets).toEqual(secrets);
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
    for (const key of [secrets.deliveryKey, secrets.schedulerKey, secrets.ssoKey])
      expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(statSync(join(path, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('of an older build are kept, and what it did not know yet is added for good', () => {
    const file = join(path, 'secrets.json');
    const older = { internal: 'i', admin: 'a', signing: 's', deliveryKey: 'd' };
    writeFileSync(file, JSON.stringify(older));
    const { secrets } = openDataFolder(path);
    const sealingKey = expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/);
    expect(secrets).toEqual({ ...older, schedulerKey: sealingKey, ssoKey: sealingKey });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(secrets);
    expect(openDataFolder(path).secrets).toEqual(secrets);
  });
});
