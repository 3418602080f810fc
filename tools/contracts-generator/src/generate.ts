import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { z } from 'zod';
import { namedContracts } from '@rapporteur/contracts';
import { findBreaks, findLifted, surfaceOf } from './compatibility.ts';
import { compose } from './compose.ts';
import { withDescriptions } from './descriptions.ts';
import { withExamples } from './examples.ts';
import { withLists } from './lists.ts';
import { publish } from './publish.ts';
import { webhookSources, withWebhooks } from './webhooks.ts';
import { sdkOperations, sdkTypes } from './sdk.ts';

const libraries = join(import.meta.dirname, '..', '..', '..', 'libs');
const contractsFolder = join(libraries, 'contracts');
const bundleDeadlineMs = 60_000;

/** The public documents, each a folder of `openapi/` that becomes one JSON file and its types. */
export const documents = ['public.v2', 'legacy.v1'] as const;

const exampleShape = z.object({
  requests: z.record(z.string(), z.unknown()),
  values: z.record(z.string(), z.unknown()),
});

export interface GeneratedFolders {
  readonly contracts: string;
  readonly sdk: string;
}

/** The folders of generated files in the repository. */
export const generatedFolders: GeneratedFolders = {
  contracts: join(contractsFolder, 'src', 'generated'),
  sdk: join(libraries, 'sdk', 'src', 'generated'),
};

/**
 * Writes everything generated from the hand-written contracts: the bundled public documents with their types, a JSON
 * Schema per named contract, and the SDK's operations. The result depends on the contract files alone, so a second run
 * gives the same bytes.
 */
export async function generate(folders: GeneratedFolders): Promise<void> {
  const descriptions = z.record(z.string(), z.string()).parse(readYaml('descriptions.yaml'));
  for (const folder of Object.values(folders) as string[]) mkdirSync(folder, { recursive: true });
  const idle = new Set(Object.keys(descriptions));
  for (const name of documents) {
    const { document, used } = withDescriptions(bundleDocument(name), descriptions);
    used.forEach((entry) => idle.delete(entry));
    const bundle = toText(document);
    const published = withExamples(document, exampleShape.parse(readYaml(name, 'examples.yaml')));
    writeFileSync(join(folders.contracts, `${name}.json`), toText(published));
    writeFileSync(join(folders.contracts, `${name}.ts`), await typesOf(name, bundle));
    if (name === 'public.v2') await writeSdk(folders.sdk, bundle);
  }
  if (idle.size > 0) throw new Error(`descriptions.yaml has entries of no property: ${[...idle].join(', ')}.`);
  writeSchemas(join(folders.contracts, 'events'));
}

async function writeSdk(folder: string, bundle: string): Promise<void> {
  writeFileSync(join(folder, 'types.ts'), await sdkTypes(bundle));
  writeFileSync(join(folder, 'operations.ts'), sdkOperations(bundle));
}

/**
 * How the public documents in a folder break clients of those of an earlier release, and which of its limits they lift.
 * Empty: no client has to change.
 */
export function changesSince(earlier: string, now: string): string[] {
  return documents.flatMap((name) => {
    const [kept, current] = [earlier, now].map((folder) =>
      surfaceOf(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))),
    );
    if (kept === undefined || current === undefined) return [];
    return [...findBreaks(kept, current), ...findLifted(kept, current)].map((change) => `${name}: ${change}`);
  });
}

/**
 * Bundles the readable files into one document for clients. Throws with Redocly's message when a file or a reference
 * is invalid.
 */
function bundleDocument(name: string): unknown {
  const folder = join(contractsFolder, 'openapi', name);
  const root = readYaml(name, 'openapi.yaml') as object;
  const hasEvents = name === 'public.v2';
  const bundle = runBundle(name, folder, hasEvents ? { ...root, webhooks: webhookSources() } : root);
  return publish(compose(withLists(hasEvents ? withWebhooks(bundle) : bundle)));
}

/** @param root the document whose references are resolved from `folder` */
function runBundle(name: string, folder: string, root: object): unknown {
  const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const scratch = mkdtempSync(join(tmpdir(), 'contracts-bundle-'));
  const output = join(scratch, `${name}.json`);
  const source = join(scratch, 'openapi.json');
  try {
    writeFileSync(source, JSON.stringify(withAbsoluteReferences(root, folder)));
    const run = spawnSync(process.execPath, [redocly, 'bundle', source, '--output', output], {
      cwd: contractsFolder,
      encoding: 'utf8',
      timeout: bundleDeadlineMs,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    if (run.status !== 0) throw new Error(`${name} could not be bundled.\n${run.stdout}${run.stderr}`);
    return JSON.parse(readFileSync(output, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function withAbsoluteReferences(place: unknown, folder: string): unknown {
  if (Array.isArray(place)) return place.map((item) => withAbsoluteReferences(item, folder));
  if (typeof place !== 'object' || place === null) return place;
  return Object.fromEntries(
    Object.entries(place).map(([member, value]: [string, unknown]) => [
      member,
      member === '$ref' && !String(value).startsWith('#')
        ? join(folder, String(value))
        : withAbsoluteReferences(value, folder),
    ]),
  );
}

function readYaml(...path: readonly string[]): unknown {
  return parse(readFileSync(join(contractsFolder, 'openapi', ...path), 'utf8'));
}

async function typesOf(name: string, bundle: string): Promise<string> {
  const nodes = await openapiTypescript(bundle);
  return `// Generated from openapi/${name} by \`npm run generate\`. Change the contract, not this file.\n\n${astToString(nodes)}`;
}

/** Schemas of sent documents: a reader ignores unknown members, so that adding one is compatible. */
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
