import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { chartFolder, examples, installations } from './helm.ts';

type Values = { readonly [key: string]: unknown };

const read = (file: string): Values => parse(readFileSync(join(chartFolder, file), 'utf8')) as Values;
const validate = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')),
);

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm lays values over others. */
function merge(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isMap(below) && isMap(value) ? merge(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

const production = merge(read('values.yaml'), read('values-production.yaml'));

/** What the schema refuses, as `path: reason`. */
function problemsOf(values: Values): string[] {
  validate(values);
  return (validate.errors ?? []).map(({ instancePath, message, params, propertyName }) =>
    [instancePath, propertyName ?? '', JSON.stringify(params), message].join(' '),
  );
}

const set = (path: readonly string[], value: unknown): Values =>
  Object.fromEntries([[path[0] ?? '', path.length === 1 ? value : set(path.slice(1), value)]]);

/** A key of values, a mistaken value, and what in it the refusal names beside the key. */
const mistakes: readonly (readonly [key: string, value: unknown, named?: string])[] = [
  ['bots.maxConcurent', 5, 'maxConcurent'],
  ['services.delivery.settings', { FOO_BAR: 1 }, 'FOO_BAR'],
  ['services.delivery.settings', { MAX_CONCURRENT_BOTS: 1 }, 'MAX_CONCURRENT_BOTS'],
  ['services.api-gateway.settings', { RAPPORTEUR_HOST: '::' }, 'RAPPORTEUR_HOST'],
  ['whisper.settings', { THREADZ: 2 }, 'THREADZ'],
  ['services.delivery.settings', { CONCURRENCY: [2] }],
  ['tracesUrl', 'notaurl'],
  ['publicUrl.api', 'api.example.com'],
  ['bus.url', 'http://nats:4222'],
  ['objectStore.s3.endpoint', 'minio:9000'],
  ['objectStore.azure.endpoint', 'blob.example.com'],
  ['transcription.openaiCompatibleUrl', 'whisper.example'],
  ['objectStore.driver', 'ftp'],
  ['objectStore.disk.size', '10 GB'],
  ['bundled.postgresql.size', '10gb'],
  ['services.delivery.resources.limits.memory', '1Gii'],
  ['bots.pod.resources', { requests: { cpu: 1 } }],
  ['bots.namespace', 'Bad_Name'],
  ['secrets.existingSecret', 'Rapporteur Secrets'],
  ['image.pullSecrets', ['Registry_Credentials']],
  ['image.registry', 'https://registry.example.com/r'],
  ['image.tag', 'a tag'],
  ['global.imageRegistri', 'mirror.example.com', 'imageRegistri'],
  ['pods.securityContext.runAsUserr', 1, 'runAsUserr'],
  ['pods.labels', { tier: 'front end' }],
  ['pods.nodeSelector', { 'a pool': 'bots' }, 'a pool'],
  ['pods.priorityClassName', 'High Priority'],
  ['pods.hostAliases', [{ ip: 'db.example.com', hostnames: ['db'] }]],
  ['pods.dnsConfig.nameservers', ['dns.example.com']],
  ['networkPolicy.notInternet', ['10.0.0.0']],
  ['networkPolicy.database', [{ ipBlock: { cidr: 'postgres.example.com/32' } }]],
  ['networkPolicy.dnsPorts', ['domain']],
  ['services.delivery.replicas', -1],
  ['bots.canaries.meetings', [{ name: 'a', link: 'x', interval: 5 }], 'interval'],
  ['services.bot-scheduler.settings', { LEASE_LOST_AFTER_MS: '2 min' }, 'LEASE_LOST_AFTER_MS'],
  ['services.bot-scheduler.settings', { LEASE_LOST_AFTER_MS: 1.5 }, 'LEASE_LOST_AFTER_MS'],
  ['services.delivery.settings', { REQUIRE_HTTPS: 'yes' }, 'REQUIRE_HTTPS'],
  ['services.delivery.settings', { LOG_LEVEL: 'verbose' }, 'LOG_LEVEL'],
  ['bots.allowedAddresses', ['10.0.0.0/40'], '0'],
  ['outbound.allowedAddresses', ['https://hooks.internal'], '0'],
  ['outbound.allowedAddresses', ['300.1.1.1'], '0'],
  ['proxy.noProxy', ['*'], '0'],
  ['networkPolicy.notInternetV6', ['10.0.0.0/8'], '0'],
  // Unknown keys are dropped by the API server, and a rule without peers admits every one.
  ['networkPolicy.extraEgress', { all: [{ too: [] }] }, 'too'],
  ['networkPolicy.database', [{ podSelector: { matchLabel: { app: 'x' } } }], 'matchLabel'],
  ['networkPolicy.database', [{}], '0'],
  ['secrets.keys', { 'database-uri': { key: 'uri' } }, 'database-uri'],
  ['bots.pagePacks.keys', ['abc'], '0'],
  // Shorter than the pause before a pod ends, which the API server refuses.
  ['pods.terminationGracePeriodSeconds', 3],
];

describe('the schema of values', () => {
  test.each([
    ...Object.values(installations),
    ...examples.map((name) => ['values-production.yaml', `examples/${name}.yaml`]),
  ])('takes %s %s', (...files) => {
    const values = files.filter((file) => file !== undefined).map(read);
    expect(problemsOf(values.reduce(merge, read('values.yaml')))).toEqual([]);
  });

  test.each(mistakes.map(([key, value, named = '']) => [key, value, named] as const))(
    'refuses %s: %j by its name',
    (key, value, named) => {
      const path = key.split('.');
      const problems = problemsOf(merge(production, set(path, value))).join('\n');
      expect(problems).toContain(`/${(named === '' ? path : path.slice(0, 1)).join('/')}`);
      expect(problems).toContain(named);
    },
  );
});
