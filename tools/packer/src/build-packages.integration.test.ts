import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { packPackages, publishedPackages } from './index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const bin = join(root, 'node_modules/.bin');

let folder: string;
let service: Receiver;
let baseUrl: string;
const keys: unknown[] = [];

beforeAll(async () => {
  nodes = [...new Set([process.execPath, ...nodesOnPath(), ...(await node22())])];
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-packages-'));
  const tarballs = await packPackages(root, publishedPackages, folder);
  for (const [name, type] of [
    ['modules', 'module'],
    ['commonjs', 'commonjs'],
  ] as const) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'package.json'), JSON.stringify({ private: true, type }));
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: join(folder, name) });
  }
  service = await startReceiver(({ headers }, response) => {
    keys.push(headers['x-service-api-key']);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, data: [{ bot_id: 'b1' }], cursor: null, prev_cursor: null }));
  });
  baseUrl = service.url;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Programs of Node that run the packages: this one, those on the path, and Node 22. */
let nodes: readonly string[];

function nodesOnPath(): string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .filter((file) => existsSync(file))
    .map((file) => realpathSync(file));
}

/** Node 22 as npm has it, kept between runs. None where npm cannot get it within 90 s, which is an error in CI. */
async function node22(): Promise<string[]> {
  const name = `node-linux-${process.arch}`;
  const cache = join(root, 'node_modules/.cache/rapporteur-node22');
  const file = join(cache, 'node_modules', name, 'bin/node');
  if (existsSync(file)) return [file];
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', cache, `${name}@22.23.3`];
  try {
    await mkdir(cache, { recursive: true });
    await run('npm', words, { timeout: 90_000 });
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    return [];
  }
  return [file];
}

/** Throws with the tool's output. */
async function clean(tool: string, words: readonly string[]): Promise<void> {
  await run(join(bin, tool), [...words]).catch((error: unknown) => {
    throw new Error(`${tool}: ${(error as { stdout: string }).stdout}`);
  });
}

const program = `
  const client = createRapporteurClient({ baseUrl: process.argv[2], apiKey: 'rap_test' });
  (async () => {
    for await (const bot of client.all.listBots()) console.log(bot.bot_id);
    try { verifyWebhook('{}', {}, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'); } catch (error) { console.log(error.name); }
  })();
`;

describe('the SDK, packed and installed into a fresh project', () => {
  test('runs in every supported Node, by import and by require', async () => {
    const names = 'createRapporteurClient, verifyWebhook';
    await writeFile(join(folder, 'modules/main.js'), `import { ${names} } from '@rapporteur/sdk';${program}`);
    await writeFile(join(folder, 'commonjs/main.js'), `const { ${names} } = require('@rapporteur/sdk');${program}`);
    const calls = nodes.flatMap((node) => ['modules', 'commonjs'].map((kind) => ({ node, kind })));
    const outputs = await Promise.all(
      calls.map(({ node, kind }) => run(node, [join(folder, kind, 'main.js'), baseUrl], { cwd: folder })),
    );
    for (const { stdout, stderr } of outputs) {
      expect(stderr).toBe('');
      expect(stdout).toBe('b1\nWebhookVerificationError\n');
    }
    expect(keys).toEqual(calls.map(() => 'rap_test'));
  });

  test('has types for strict TypeScript in both kinds of modules', async () => {
    const typed = `
      import { createRapporteurClient, RapporteurError, verifyWebhook } from '@rapporteur/sdk';
      import type { WebhookEvent } from '@rapporteur/sdk';
      const client = createRapporteurClient({ baseUrl: 'https://bots.example.com', apiKey: 'rap_test' });
      export const sent: Promise<{ bot_id: string }> = client.createBot({ body: { bot_name: 'Bot', meeting_url: 'https://meet.google.com/abc-defg-hij' } });
      export const event: WebhookEvent = verifyWebhook('', {}, 'whsec_x');
      export const codeOf = (error: unknown): string | null => (error instanceof RapporteurError ? error.code : null);
      // @ts-expect-error a bot needs a link
      void client.createBot({ body: { bot_name: 'Bot' } });
    `;
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      target: 'es2022',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      lib: ['es2022', 'dom', 'dom.iterable'],
    };
    const check = async (kind: string): Promise<void> => {
      await writeFile(join(folder, kind, 'typed.ts'), typed);
      await writeFile(join(folder, kind, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
      await run(join(bin, 'tsc'), ['--project', join(folder, kind)]).catch((error: unknown) => {
        throw new Error((error as { stdout: string }).stdout);
      });
    };
    await Promise.all(['modules', 'commonjs'].map(check));
  });

  test('has no problem that attw finds', async () => {
    await clean('attw', ['--pack', join(folder, 'sdk'), '--profile', 'strict']);
  });
});

describe('every package', () => {
  test.each(publishedPackages)('%s has no problem that publint finds', async (name) => {
    await clean('publint', [join(folder, name), '--strict']);
  });
});

test('the MCP server is a program that starts in every supported Node', async () => {
  const file = join(folder, 'modules/node_modules/.bin/rapporteur-mcp');
  for (const node of nodes) {
    const { stdout } = await run(node, [file, '--version'], { env: {} });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    // It reads requests from standard input, and ends with it.
    const started = run(node, [file], { env: { RAPPORTEUR_API_URL: baseUrl, RAPPORTEUR_API_KEY: 'rap_mcp' } });
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    started.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    expect(JSON.parse((await started).stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'rapporteur' } } });
  }
});

test('the command line is a program named rapporteur, in every supported Node', async () => {
  const environment = { RAPPORTEUR_API_URL: baseUrl, RAPPORTEUR_API_KEY: 'rap_cli', HOME: folder };
  for (const node of nodes) {
    const file = join(folder, 'modules/node_modules/.bin/rapporteur');
    const version = await run(node, [file, '--version'], { env: environment });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const bots = await run(node, [file, 'calendars', 'list', '--json'], { env: environment });
    expect(JSON.parse(bots.stdout)).toEqual([{ bot_id: 'b1' }]);
    const pages = await run(node, [file, 'pages', 'show', 'meet', '--json'], { env: environment });
    expect(JSON.parse(pages.stdout)).toMatchObject({ platform: 'meet' });
  }
  // It reads page packs, and operates no page.
  expect(await readFile(join(folder, 'cli/dist/main.js'), 'utf8')).not.toMatch(/playwright-core/);
});
