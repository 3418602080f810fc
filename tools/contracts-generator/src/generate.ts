import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  namedContracts,
  webhookEventNames,
  artifactLinks,
  calendarProviderNames,
  platformNames,
} from '@rapporteur/contracts';
import {
  batchProviders,
  batchVendors,
  liveProviders,
  liveVendors,
  simulatedNameOf,
} from '@rapporteur/speech-to-text/providers';
import { findBreaks, findLifted, surfaceOf } from './compatibility.ts';
import { compose } from './compose.ts';
import { withDescriptions } from './descriptions.ts';
import { withExamples } from './examples.ts';
import { publish } from './publish.ts';
import { publicRoutes } from './public-routes.ts';
import { sdkOperations, sdkTypes } from './sdk.ts';

const transcriptionProviders = [...batchProviders, ...batchVendors.map(simulatedNameOf)];

/** The lists that contract files refer to, by name; each value with its description, or null. */
const lists = new Map<string, ReadonlyMap<string, string | null>>([
  ['artifactLinks', new Map(Object.entries(artifactLinks).map(([kind, { description }]) => [kind, description]))],
  ['calendarProviders', plain(calendarProviderNames)],
  ['fallbackProviders', plain(transcriptionProviders.filter((name) => name !== 'meeting_captions'))],
  ['liveProviders', plain([...liveProviders, ...liveVendors.map(simulatedNameOf)])],
  ['platforms', plain(platformNames)],
  ['transcriptionProviders', plain(transcriptionProviders)],
  ['webhookEvents', plain(webhookEventNames)],
]);

function plain(names: readonly string[]): ReadonlyMap<string, null> {
  return new Map(names.map((name) => [name, null]));
}

/**
 * The document with every `each:<list>` replaced by the members of the list, in its order: an item of an array by one
 * item per member; a property by one property per member, each with the value of that property and the member's
 * description; inside a pattern by the alternatives. Throws for a list that does not exist.
 */
export function withLists(place: unknown): unknown {
  if (typeof place === 'string')
    return place.replaceAll(/each:(\w+)/g, (_all, name: string) => [...listOf(name).keys()].join('|'));
  if (Array.isArray(place)) {
    return place.flatMap((item: unknown) => {
      const name = listNameIn(item);
      return name === null ? [withLists(item)] : [...listOf(name).keys()];
    });
  }
  if (typeof place !== 'object' || place === null) return place;
  return Object.fromEntries(
    Object.entries(place).flatMap(([member, value]: [string, unknown]) => {
      const [name, inner] = [listNameIn(member), withLists(value)];
      if (name === null) return [[member, inner] as const];
      return [...listOf(name)].map(
        ([one, description]) =>
          [one, { ...(inner as object), ...(description === null ? {} : { description }) }] as const,
      );
    }),
  );
}

function listNameIn(text: unknown): string | null {
  return typeof text === 'string' ? (/^each:(\w+)$/.exec(text)?.[1] ?? null) : null;
}

function listOf(name: string): ReadonlyMap<string, string | null> {
  const list = lists.get(name);
  if (list === undefined) throw new Error(`A contract file refers to each:${name}, which is no list.`);
  return list;
}

type Json = Record<string, unknown>;

interface Document extends Json {
  readonly paths: unknown;
  readonly webhooks: Record<string, { post: Json }>;
  readonly components: { readonly schemas: Record<string, Json> };
}

const parameters = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** The member `webhooks` of the source of `public.v2`: the payload of every event, and of the test. */
function webhookSources(): Json {
  return Object.fromEntries(
    [...webhookEventNames, 'webhook.test'].map((event) => {
      const schema = { $ref: `schemas/${wordsOf(event)}Payload.yaml` };
      return [event, { post: { requestBody: { required: true, content: { 'application/json': { schema } } } } }];
    }),
  );
}

/**
 * The document with the rest of each webhook: what all have in common, and the summary, the description and the example
 * of its payload's `x-webhook`. Throws for a payload without it.
 */
function withWebhooks(bundle: unknown): unknown {
  const { paths, webhooks, components, ...head } = structuredClone(bundle) as Document;
  for (const [event, item] of Object.entries(webhooks)) {
    const name = `${wordsOf(event)}Payload`;
    const payload = components.schemas[name];
    const words = payload?.['x-webhook'] as Json | undefined;
    if (payload === undefined || words === undefined)
      throw new Error(`${name} needs the words of ${event}: x-webhook.`);
    delete payload['x-webhook'];
    const { example, ...described } = words;
    const { requestBody } = item.post as { requestBody: { content: Record<string, Json> } };
    if (example !== undefined) Object.assign(requestBody.content['application/json'] ?? {}, { example });
    item.post = {
      operationId: `on${wordsOf(event.replace(/^(bot|webhook)\./, ''))}`,
      ...described,
      tags: ['Webhooks'],
      security: [],
      parameters,
      requestBody,
      responses: {
        '2XX': { description: 'Taken. Any other response, a redirect included, is a failure and is tried again.' },
      },
    };
  }
  return { ...head, paths, webhooks, components };
}

/** `BotStatusChange` of `bot.status_change`. */
function wordsOf(event: string): string {
  return event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

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
  // This file of bootstrap.mjs, which writes it again, states what the files before were generated from.
  rmSync(join(folders.contracts, '.sources'), { force: true });
  const idle = new Set(Object.keys(descriptions));
  for (const name of documents) {
    const { document, used } = withDescriptions(bundleDocument(name), descriptions);
    used.forEach((entry) => idle.delete(entry));
    const bundle = toText(document);
    const published = withExamples(document, exampleShape.parse(readYaml(name, 'examples.yaml')));
    writeFileSync(join(folders.contracts, `${name}.json`), toText(published));
    writeFileSync(join(folders.contracts, `${name}.ts`), await typesOf(name, bundle));
    if (name !== 'public.v2') continue;
    await writeSdk(folders.sdk, bundle);
    writeFileSync(join(folders.contracts, 'public-routes.ts'), publicRoutes(document));
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
