import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';
import request from 'supertest';
import { startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const root = join(import.meta.dirname, '../../../..');
const empty = mkdtempSync(join(tmpdir(), 'docs-site-'));
let edge: Edge;

beforeAll(async () => {
  edge = await startEdge();
}, 60_000);
afterAll(async () => {
  await edge.stop();
  rmSync(empty, { recursive: true });
});

test('without a built site its pages lead to the API reference', async () => {
  const url = await edge.startGateway({ docsFolder: empty });
  await request(url).get('/docs').expect(302).expect('location', '/docs/api');
  await request(url).get('/docs/guides/webhooks').expect(302).expect('location', '/docs/api');
  await request(url).get('/docs/llms.txt').expect(404);
});

describe('the built site', () => {
  let url = '';
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    const script = join(root, 'tools/packer/src/docs-main.ts');
    const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, '--if-changed'], {
      encoding: 'utf8',
    });
    if (run.status !== 0) throw new Error(run.stderr);
    url = await edge.startGateway({ docsFolder: join(root, 'dist/docs') });
    browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    context = await browser.newContext();
    // For hangs only.
    context.setDefaultTimeout(120_000);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('is searched and read without another origin, and breaks no rule of its own', async () => {
    const page = await context.newPage();
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (sent) => requested.push(sent.url()));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/docs`);
    // A press on the button before that is lost.
    await page.waitForFunction(`document.querySelector('#app').__vue_app__ !== undefined`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('webhook signature');
    await page.locator('.results .result').first().click();
    await page.waitForURL(/\/docs\/.*webhook/);
    await page.locator('main h1').first().waitFor();
    const foreign = requested.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:'));
    expect({ foreign, complaints }).toEqual({ foreign: [], complaints: [] });
    await page.close();
  }, 60_000);

  test.each(['', '/guides/joining-meetings', '/bot-lifecycle', '/api'])(
    'has no serious finding of axe and fits the window at two widths: /docs%s',
    async (path) => {
      const page = await context.newPage();
      await page.goto(`${url}/docs${path}`);
      await page
        .locator(path === '/api' ? '.opblock' : '.VPContent h1, .VPContent h2')
        .first()
        .waitFor();
      await page.evaluate(axeSource);
      const problems: string[] = [];
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const found = (await page.evaluate(`axe.run().then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 200)))`)) as string[];
        problems.push(...found.map((finding) => `${width} px: ${finding}`));
        const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
        if (beyond > 0) problems.push(`${width} px: ${beyond} px wider than the window`);
      }
      expect(problems).toEqual([]);
      await page.close();
    },
    60_000,
  );

  test('has files for language models and for Postman', async () => {
    const { text } = await request(url).get('/docs/llms.txt').expect(200);
    for (const [, path = ''] of text.matchAll(/\]\((\/docs\/[^)]*)\)/g)) await request(url).get(path).expect(200);
    const { text: collection } = await request(url).get('/docs/postman.json').expect(200);
    expect(JSON.parse(collection)).toMatchObject({ info: { schema: expect.stringContaining('v2.1') } });
  });

  test('has a page for what it does not have, and programs get an error of the API', async () => {
    await request(url).get('/docs/nothing').set('accept', 'text/html').expect(404).expect(/<html/);
    const { body } = await request(url).get('/docs/nothing').set('accept', 'application/json').expect(404);
    expect(body).toMatchObject({ code: 'FST_ERR_NOT_FOUND' });
    await request(url).get('/docs/..%2fpackage.json').expect(404);
  });
});
