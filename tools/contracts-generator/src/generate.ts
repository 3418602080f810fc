import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { z } from 'zod';
import { namedContracts } from '@rapporteur/contracts';

const contractsFolder = join(import.meta.dirname, '..', '..', '..', 'libs', 'contracts');
const bundleDeadlineMs = 60_000;

/** Where the repository keeps what is generated. */
export const generatedFolder = join(contractsFolder, 'src', 'generated');

/**
 * Writes everything that follows from the hand-written contracts into `folder`: the bundled public API, its types, and a
 * JSON Schema per named contract. Only the contract files decide the result, so running it twice gives the same bytes.
 */
export async function generate(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const bundle = bundlePublicApi();
  writeFileSync(join(folder, 'public.v2.json'), bundle);
  writeFileSync(join(folder, 'public.v2.ts'), await typesOf(bundle));
  writeSchemas(join(folder, 'events'));
}

/** Bundles the readable files into one JSON text. Throws with Redocly's own words when a file or a reference is wrong. */
function bundlePublicApi(): string {
  const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const scratch = mkdtempSync(join(tmpdir(), 'contracts-bundle-'));
  const output = join(scratch, 'public.v2.json');
  const source = join('openapi', 'public.v2', 'openapi.yaml');
  try {
    const run = spawnSync(process.execPath, [redocly, 'bundle', source, '--output', output], {
      cwd: contractsFolder,
      encoding: 'utf8',
      timeout: bundleDeadlineMs,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    if (run.status !== 0) throw new Error(`The public API could not be bundled.\n${run.stdout}${run.stderr}`);
    return toText(JSON.parse(readFileSync(output, 'utf8')));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function typesOf(bundle: string): Promise<string> {
  const nodes = await openapiTypescript(bundle);
  return `// Generated from openapi/public.v2 by \`npm run generate\`. Change the contract, not this file.\n\n${astToString(nodes)}`;
}

/** Schemas of what may be sent: a reader ignores members it does not know, so that adding one breaks nobody. */
function writeSchemas(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of namedContracts) {
    writeFileSync(join(folder, `${name}.json`), toText({ title: name, ...z.toJSONSchema(schema, { io: 'input' }) }));
  }
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
