import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { documents, generatedFolders } from './generate.ts';

const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');

test.each(documents)(
  'redocly finds nothing wrong with %s',
  (name) => {
    const file = join(generatedFolders.contracts, `${name}.json`);
    const config = join(generatedFolders.contracts, '../../redocly.yaml');
    const run = spawnSync(process.execPath, [cli, 'lint', file, '--config', config, '--format', 'json'], {
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const { problems } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{'))) as {
      problems: readonly { readonly ruleId: string; readonly message: string }[];
    };
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
  150_000,
);
