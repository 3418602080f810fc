import { describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groups } from '@rapporteur/operator-cli/groups';
import { dashboards } from '../dashboards/dashboard-json.ts';
import { metricCatalogue } from '../metric-catalogue.ts';
import { alerts, runbookOf } from './alert-rules.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const names = metricCatalogue.flatMap(({ definitions }) => Object.values(definitions).map(({ name }) => name));
const isMetric = (name: string): boolean => names.includes(name.replace(/_(bucket|sum|count)$/, ''));

describe('runbooks', () => {
  test('are there for every alert, and for nothing else', async () => {
    const files = await readdir(join(root, 'docs/runbooks/alerts'));
    expect(files.filter((file) => file !== 'README.md').toSorted()).toEqual(
      alerts.map(({ name }) => `${name}.md`).toSorted(),
    );
  });

  test.each(alerts.map(({ name }) => name))('%s names commands that work', async (name) => {
    const text = await readFile(join(root, runbookOf(name)), 'utf8');
    expect(text.startsWith(`# ${name}\n`)).toBe(true);
    const commands = (/```sh\n([^]*?)```/.exec(text)?.[1] ?? '').trim().split('\n');
    expect(commands[0]).not.toBe('');
    for (const command of commands) {
      const [, words] = /^npm run -s rapporteur -- (.*?) {3}#/.exec(command) ?? [];
      const [, pattern] = /^curl -s "\$METRICS_[A-Z]+\/metrics" \| grep -E "(.+?)"/.exec(command) ?? [];
      if (words !== undefined) expect([command, isCommand(words)]).toEqual([command, true]);
      else if (pattern !== undefined)
        expect([
          command,
          pattern.startsWith('nodejs_') ||
            names.some((metric) => new RegExp(pattern).test(`${metric} ${metric}_sum ${metric}_count`)),
        ]).toEqual([command, true]);
      else expect(command).toMatch(/^curl -s "\$METRICS_[A-Z]+\/(capacity|health\/live|health\/ready)"/);
    }
  });
});

function isCommand(words: string): boolean {
  const [noun, verb = ''] = words.split(' ');
  const group = groups.find((known) => known.noun === noun);
  return group !== undefined && (verb in group.commands || '' in group.commands);
}

describe('expressions', () => {
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboards.flatMap(({ rows }) =>
      Object.values(rows)
        .flat()
        .flatMap(({ queries }) => Object.values(queries)),
    ),
  ];

  test('use only metrics that services declare', () => {
    for (const expr of expressions) {
      for (const [name] of expr.matchAll(/rapporteur_[a-z0-9_]+/g))
        expect([name, isMetric(name)]).toEqual([name, true]);
    }
  });
});
