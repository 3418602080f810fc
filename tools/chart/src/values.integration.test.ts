import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { chartFolder } from './helm.ts';
import { describeSchema, keysOfSchema, undescribedKeys } from './schema-descriptions.ts';
import type { Schema } from './schema-descriptions.ts';
import { readValues, valuesTable, withGenerated } from './values-table.ts';

const text = readFileSync(join(chartFolder, 'values.yaml'), 'utf8');

test('every value of the chart has a description above it', () => {
  expect(readValues(text).filter(({ description }) => description === '')).toEqual([]);
});

test('the table in the README is that of values.yaml; node tools/chart/src/main.ts writes it', () => {
  const readme = readFileSync(join(chartFolder, 'README.md'), 'utf8');
  expect(readme).toBe(withGenerated(readme, valuesTable(readValues(text))));
});

const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Schema;

test('the schema names every key of values.yaml, and no other', () => {
  const named = keysOfSchema(schema);
  const given = readValues(text).map(({ key }) => key);
  const covered = (key: string, others: readonly string[]) =>
    others.some((other) => other === key || other.startsWith(`${key}.`) || key.startsWith(`${other}.`));
  expect(given.filter((key) => !covered(key, named))).toEqual([]);
  expect(named.filter((key) => !covered(key, given))).toEqual([]);
});

test('the schema describes every key, those of values.yaml with its comments; node tools/chart/src/main.ts writes them', () => {
  expect(schema).toEqual(describeSchema(schema, readValues(text)));
  expect(undescribedKeys(schema)).toEqual([]);
});

test('the simulated hosts are those that the simulator serves', async () => {
  const { resolverRules } = await import('@rapporteur/simulator/platforms');
  const hosts = readFileSync(join(chartFolder, 'files/simulator-hosts.txt'), 'utf8').trim().split('\n');
  expect(hosts.map((host) => `MAP ${host}:443 simulator:8443`).join(',')).toBe(resolverRules('simulator:8443'));
});

test('chart, schema and packages have one version', () => {
  const chart = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as { version: string; appVersion: string };
  const { version } = JSON.parse(readFileSync(join(chartFolder, '../../package.json'), 'utf8')) as { version: string };
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});

test("the seccomp profile for Chromium holds on nodes of every architecture that the release's images have", () => {
  // A runtime adds the native architecture, but returns ENOSYS for newer system calls only on those that are listed.
  const names: Readonly<Record<string, string>> = { amd64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' };
  const workflow = readFileSync(join(chartFolder, '../../.github/workflows/release.yml'), 'utf8');
  const { jobs } = parse(workflow) as {
    jobs: { images: { strategy: { matrix: { machine: { arch: string }[] } } } };
  };
  const profile = JSON.parse(readFileSync(join(chartFolder, 'files/chromium-seccomp.json'), 'utf8')) as {
    architectures: string[];
  };
  const released = jobs.images.strategy.matrix.machine.map(({ arch }) => names[arch] ?? arch);
  expect(released).toHaveLength(2);
  expect(profile.architectures).toEqual(expect.arrayContaining(released));
});
