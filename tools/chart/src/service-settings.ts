import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayConfig } from '@rapporteur/api-gateway/config';
import { schedulerConfig } from '@rapporteur/bot-scheduler/config';
import { calendarSyncConfig } from '@rapporteur/calendar-sync/config';
import { consoleConfig } from '@rapporteur/console/config';
import { deliveryConfig } from '@rapporteur/delivery/config';
import { runtimeConfig, variableName } from '@rapporteur/service-runtime';
import type { ConfigShape } from '@rapporteur/service-runtime';
import { ssoConfig } from '@rapporteur/sso-idp/config';
import { storageConfig } from '@rapporteur/storage-config/config';
import { transcriberConfig } from '@rapporteur/transcriber/config';

const configurations: Readonly<Record<string, ConfigShape>> = {
  'api-gateway': gatewayConfig,
  'bot-scheduler': schedulerConfig,
  'calendar-sync': calendarSyncConfig,
  console: consoleConfig,
  delivery: deliveryConfig,
  'sso-idp': ssoConfig,
  'storage-config': storageConfig,
  transcriber: transcriberConfig,
};

/** Names of settings, as the chart takes them, by the key of values whose keys they are. */
export const serviceSettings: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(configurations).map(([service, shape]) => {
    const names = Object.keys({ ...runtimeConfig, ...shape }).map(variableName);
    return [`services.${service}.settings`, names.map((name) => name.replace(/^RAPPORTEUR_/, '')).sort()] as const;
  }),
  ['whisper.settings', settingsOfWhisper()],
]);

/** The program in Python has no list that could be imported. */
function settingsOfWhisper(): string[] {
  const file = join(import.meta.dirname, '../../../apps/whisper/whisper_server/configuration.py');
  return [...readFileSync(file, 'utf8').matchAll(/^ {4}(\w+): \w+ = _setting\(/gm)]
    .map(([, name = '']) => name.toUpperCase())
    .sort();
}
