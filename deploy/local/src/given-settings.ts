import { resolve } from 'node:path';

const consentSettingNames = [
  'CONSENT_REDIRECT_URL',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_ID',
  'MICROSOFT_CLIENT_SECRET',
  'MICROSOFT_TENANT',
] as const;

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

/** The OAuth clients that the simulator knows. */
export const simulatedClients = {
  GOOGLE_CLIENT_ID: 'simulated-google-client',
  GOOGLE_CLIENT_SECRET: 'simulated-google-secret',
  MICROSOFT_CLIENT_ID: 'simulated-microsoft-client',
  MICROSOFT_CLIENT_SECRET: 'simulated-microsoft-secret',
};

/** OAuth clients for calendars by consent. Names without prefix. */
export function consentSettings(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return givenSettings(consentSettingNames, environment);
}

/** Names without prefix. A path is relative to where the stack is started. */
export function pageSettings(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  // A service runs in a folder of its own.
  return Object.fromEntries(
    Object.entries(givenSettings(pageSettingNames, environment)).map(([name, value]) => [
      name,
      name === 'PAGE_PACKS' && !/^https?:/i.test(value) ? resolve(value) : value,
    ]),
  );
}

function givenSettings(names: readonly string[], environment: NodeJS.ProcessEnv): Record<string, string> {
  const given = names.map((name) => [name, environment[`RAPPORTEUR_${name}`] ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}
