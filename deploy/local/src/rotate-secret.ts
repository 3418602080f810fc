import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formerKeysName, keyNameOf, writePrivately } from './data-folder.ts';

/** Former keys that are kept, newest first; data of older ones has been encrypted again long ago. */
const mostFormerKeys = 5;

/**
 * Gives a service a new key with its next start; its former keys still decrypt their data. Null: the service has no key
 * in this data folder.
 */
export function rotateSecretKey(dataFolder: string, service: string): { readonly former: number } | null {
  const file = join(dataFolder, 'secrets.json');
  if (!existsSync(file)) return null;
  const secrets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const name = keyNameOf(service);
  const current = secrets[name];
  if (current === undefined) return null;
  const before = secrets[formerKeysName(service)]?.split(',') ?? [];
  const former = [current, ...before].slice(0, mostFormerKeys);
  writePrivately(file, {
    ...secrets,
    [name]: randomBytes(32).toString('base64'),
    [formerKeysName(service)]: former.join(','),
  });
  return { former: former.length };
}
