import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { gatewayConfig } from '@rapporteur/api-gateway/config';
import { schedulerConfig } from '@rapporteur/bot-scheduler/config';
import { calendarSyncConfig } from '@rapporteur/calendar-sync/config';
import { consoleConfig } from '@rapporteur/console/config';
import { deliveryConfig } from '@rapporteur/delivery/config';
import { integer, runtimeConfig, variableName } from '@rapporteur/service-runtime';
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

/** A value of a setting; `{}`: any text. */
type Value = { readonly type?: readonly string[]; readonly enum?: readonly unknown[]; readonly pattern?: string };
const wholeNumber = z.toJSONSchema(integer(0, 1), { io: 'input' }).pattern;

/** What settings accept, by the names that the chart takes, by the key of values whose keys they are. */
export const serviceSettings: ReadonlyMap<string, ReadonlyMap<string, Value>> = new Map([
  ...Object.entries(configurations).map(([service, shape]) => {
    const settings = Object.entries({ ...runtimeConfig, ...shape })
      .map(([key, schema]) => [variableName(key).replace(/^RAPPORTEUR_/, ''), valueOf(schema)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return [`services.${service}.settings`, new Map(settings)] as const;
  }),
  ['whisper.settings', new Map(settingsOfWhisper().map((name) => [name, {}]))],
]);

/** Numbers and truth values of YAML are as good as their text. */
function valueOf(schema: z.ZodType): Value {
  const { enum: texts, pattern } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (pattern !== undefined) return pattern === wholeNumber ? { type: ['integer', 'string'], pattern } : { pattern };
  if (texts === undefined) return {};
  return { enum: texts.flatMap((text) => (text === 'true' || text === 'false' ? [text, text === 'true'] : [text])) };
}

/** The program in Python has no list that could be imported. */
function settingsOfWhisper(): string[] {
  const file = join(import.meta.dirname, '../../../apps/whisper/whisper_server/configuration.py');
  return [...readFileSync(file, 'utf8').matchAll(/^ {4}(\w+): \w+ = _setting\(/gm)]
    .map(([, name = '']) => name.toUpperCase())
    .sort();
}
