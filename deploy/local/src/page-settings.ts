import { resolve } from 'node:path';

const pageSettingNames = [
  'PAGE_PACKS',
  'PAGE_PACK_KEYS',
  'PAGE_PACK_POLL_MS',
  'PAGE_PACK_TRIAL_BOTS',
  'CANARIES',
  'CANARY_STAY_MS',
  'CANARY_WEBHOOK',
  'CANARY_WEBHOOK_SECRET',
] as const;

/** Names without prefix. A path is relative to where the stack is started. */
export function pageSettings(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const given = pageSettingNames.map((name) => [name, environment[`RAPPORTEUR_${name}`] ?? ''] as const);
  const named = given.filter(([, value]) => value !== '');
  // A service runs in a folder of its own.
  return Object.fromEntries(
    named.map(([name, value]) => [name, name === 'PAGE_PACKS' && !/^https?:/i.test(value) ? resolve(value) : value]),
  );
}
