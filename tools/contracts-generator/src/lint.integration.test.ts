import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import spectral from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
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

test.each(documents)(
  'spectral finds nothing wrong with %s',
  async (name) => {
    const text = readFileSync(join(generatedFolders.contracts, `${name}.json`), 'utf8');
    const linter = new spectral.Spectral();
    linter.setRuleset({
      extends: [[rulesets.oas as RulesetDefinition, 'recommended']],
      // Paths of the first generation of the API.
      rules: { 'path-keys-no-trailing-slash': 'off' },
    });
    const problems = await linter.run(new spectral.Document(text, parsers.Json, name));
    expect(problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`)).toEqual([]);
  },
  150_000,
);
