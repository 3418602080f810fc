import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@rapporteur/local-stack';
import { endChild } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { stringify } from 'yaml';
import { alertRules, alertTests, runbookOf } from './alerts/alert-rules.ts';
import { dashboards } from './dashboards/dashboard-json.ts';
import { startExercisedServices } from './testing/exercised-services.ts';
import type { ExercisedServices } from './testing/exercised-services.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');

describe('promtool', () => {
  test('accepts the rules, and each fires and stays silent in its unit test', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'rapporteur-rules-'));
    try {
      await writeFile(join(cwd, 'alerts.yml'), alertRules());
      await writeFile(join(cwd, 'alerts.test.yml'), alertTests());
      await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd });
      const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd });
      expect(stdout).toContain('SUCCESS');
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  test('finds nothing wrong with the expositions of services', async () => {
    const services = await startExercisedServices();
    try {
      for (const path of services.paths) {
        const text = await (await fetch(`http://${services.address}${path}`)).text();
        const check = run('promtool', ['check', 'metrics']);
        check.child.stdin?.end(text);
        // Node's own metrics are named by prom-client.
        const findings = await check.then(
          ({ stderr }) => stderr,
          ({ stderr }: { stderr: string }) => stderr,
        );
        expect(findings.split('\n').filter((line) => line.includes('rapporteur_'))).toEqual([]);
      }
    } finally {
      await services.close();
    }
  });
});

describe('Prometheus and Alertmanager', () => {
  let services: ExercisedServices;
  let folder: string;
  let prometheusUrl: string;
  const processes: ChildProcess[] = [];
  let receiver: Receiver;
  const notifications = () => receiver.calls.map(({ body }) => String(body));

  beforeAll(async () => {
    services = await startExercisedServices();
    folder = await mkdtemp(join(tmpdir(), 'rapporteur-prometheus-'));
    receiver = await startReceiver();
    const alertmanager = `127.0.0.1:${await freePort()}`;
    const prometheus = `127.0.0.1:${await freePort()}`;
    prometheusUrl = `http://${prometheus}`;
    const write = (name: string, text: string) => writeFile(join(folder, name), text);
    // The conditions are the deployed ones; only their duration is left out, so that they fire at once.
    await write('alerts.yml', alertRules().replaceAll(/^( +)for: .*$/gm, '$1for: 0s'));
    await write('prometheus.yml', stringify(prometheusSettings({ services, alertmanager })));
    await write('alertmanager.yml', stringify(alertmanagerSettings(receiver.url)));
    await run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
    await run('amtool', ['check-config', join(folder, 'alertmanager.yml')]);
    // A program that cannot be started has no pid; the test fails at its deadline.
    const start = (program: string, parameters: readonly string[]): ChildProcess =>
      spawn(program, parameters, { stdio: 'ignore' }).on('error', () => undefined);
    processes.push(
      start('prometheus', [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${prometheus}`,
      ]),
      start('prometheus-alertmanager', [
        `--config.file=${join(folder, 'alertmanager.yml')}`,
        `--storage.path=${join(folder, 'alerts')}`,
        `--web.listen-address=${alertmanager}`,
        '--cluster.listen-address=',
      ]),
    );
  }, 60_000);

  afterAll(async () => {
    for (const process of processes.toReversed()) await endChild(process);
    await receiver.close();
    await services.close();
    await rm(folder, { recursive: true, force: true });
  });

  const panels = dashboards.flatMap(({ uid, rows }) =>
    Object.values(rows)
      .flat()
      .flatMap(({ title, queries }) =>
        Object.entries(queries).map(([legend, expr]) => ({ what: `${uid} / ${title} / ${legend}`, expr })),
      ),
  );

  test('every panel of every dashboard has data', async () => {
    const empty = async (): Promise<string[]> => {
      const found = await Promise.all(panels.map(async ({ what, expr }) => ((await hasData(expr)) ? [] : [what])));
      return found.flat();
    };
    let missing: string[] = [];
    await waitFor(async () => (missing = await empty()).length === 0, {
      what: 'every panel to have data',
      pollMs: 500,
      saw: () => missing,
    });
  });

  async function hasData(expr: string): Promise<boolean> {
    const query = expr.replaceAll('$__rate_interval', '10s').replaceAll('$platform', '.*');
    const url = `${prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}`;
    const response = await fetch(url).catch(() => null);
    // Not ready yet.
    if (response === null || response.status === 503) return false;
    const found = (await response.json()) as QueryResult;
    if (found.status !== 'success') throw new Error(`${expr}: ${JSON.stringify(found)}`);
    return found.data.result.some(({ value: [, value] }) => Number.isFinite(Number(value)));
  }

  test('an alert reaches a receiver through Alertmanager and names its runbook', async () => {
    await waitFor(async () => notifications().some((text) => text.includes('"RapporteurBotsWait"')), {
      what: 'the alert to arrive',
    });
    const text = notifications().find((one) => one.includes('"RapporteurBotsWait"')) ?? '';
    const { alerts } = JSON.parse(text) as { alerts: { status: string; annotations: Record<string, string> }[] };
    expect(alerts[0]).toMatchObject({
      status: 'firing',
      annotations: { runbook_url: runbookOf('RapporteurBotsWait') },
    });
    expect(await readFile(join(root, runbookOf('RapporteurBotsWait')), 'utf8')).toContain('# RapporteurBotsWait');
  }, 90_000);
});

interface QueryResult {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

const operatorLabels = {
  service: 'meet-rapporteur-api-gateway',
  namespace: 'meet',
  pod: 'meet-rapporteur-api-gateway-0',
  container: 'api-gateway',
  endpoint: 'admin',
};

function prometheusSettings({
  services,
  alertmanager,
}: {
  readonly services: ExercisedServices;
  readonly alertmanager: string;
}) {
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    scrape_configs: services.paths.map((path) => ({
      job_name: `rapporteur${path.replaceAll('/', '-')}`,
      metrics_path: path,
      // Labels set by the Prometheus operator; labels of the service do not survive.
      static_configs: [{ targets: [services.address], labels: operatorLabels }],
    })),
  };
}

function alertmanagerSettings(receiverUrl: string) {
  return {
    route: { receiver: 'test', group_by: ['alertname'], group_wait: '1s', group_interval: '1s' },
    receivers: [{ name: 'test', webhook_configs: [{ url: receiverUrl }] }],
  };
}
