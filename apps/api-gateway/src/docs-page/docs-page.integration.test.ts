import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';
import request from 'supertest';
import { publicOperations } from '@rapporteur/contracts/public-api';
import { startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

let edge: Edge;
let url = '';
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  edge = await startEdge();
  url = await edge.startGateway();
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  context = await browser.newContext();
  // For hangs only.
  context.setDefaultTimeout(120_000);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await edge.stop();
});

describe('the start page', () => {
  test('states in plain text what this is and where the documentation is', async () => {
    const response = await request(url)
      .get('/')
      .expect('content-type', /^text\/plain/);
    expect(response.text).toMatch(/records it[^]*\/docs[^]*\/openapi\.json/);
  });

  test('has browsers use https where they came by it', async () => {
    const name = 'strict-transport-security';
    const secure = await request(url).get('/').set('x-forwarded-proto', 'https');
    expect(secure.headers[name]).toBe('max-age=63072000');
    expect((await request(url).get('/')).headers[name]).toBeUndefined();
  });

  test('is a page for those who read pages', async () => {
    const response = await request(url)
      .get('/')
      .accept('text/html,*/*;q=0.8')
      .expect('content-type', /^text\/html/);
    expect(response.text).toContain('<a href="/docs">');
  });
});

describe('what the page is made of', () => {
  const paths = [
    '/',
    '/docs/api',
    '/docs/api/openapi.legacy',
    '/docs/api/start.js',
    '/docs/api/swagger-ui-bundle.js',
    '/docs/api/swagger-ui.css',
    '/openapi.json',
  ];

  test.each(paths)('%s is kept by browsers, and not sent again to those who have it', async (path) => {
    const { headers } = await request(url)
      .get(path)
      .expect(200)
      .expect('cache-control', /no-cache|max-age/)
      .expect('x-content-type-options', 'nosniff')
      .expect('x-request-id', /./);
    expect(headers).not.toHaveProperty('x-powered-by');
    await request(url).get(path).set('if-none-match', String(headers['etag'])).expect(304, '');
    const head = await request(url).head(path).expect(200);
    expect(head.text ?? '').toBe('');
  });

  test('needs no key, and nothing else lies in its folder', async () => {
    await request(url).get('/docs/api/package.json').expect(404);
    await request(url).get('/docs/api/..%2f..%2fpackage.json').expect(404);
    await request(url).post('/docs').expect(404);
  });
});

describe('the API reference in a browser', () => {
  test('shows every operation, requests no other origin and breaks no rule of its own', async () => {
    const page = await context.newPage();
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (sent) => requested.push(sent.url()));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/docs/api`);
    const count = publicOperations().length;
    await page.waitForFunction(`document.querySelectorAll('.opblock').length >= ${count}`);
    await page.locator('#operations-Bots-createBot .opblock-summary-control').click();
    await page.locator('#operations-Bots-createBot .opblock-body').waitFor();
    expect(await page.locator('#operations-Bots-createBot').innerText()).toContain('bot_name');
    const foreign = requested.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('data:'));
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test('tries a call out against this very deployment', async () => {
    const page = await context.newPage();
    await page.goto(`${url}/docs/api#/Bots/getBotStatus`);
    const block = page.locator('#operations-Bots-getBotStatus');
    await block.locator('.try-out__btn').click();
    await block.locator('input').first().fill('3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11');
    await block.locator('.execute').click();
    await block.locator('.live-responses-table .response-col_status').first().waitFor();
    expect(await block.locator('.live-responses-table').innerText()).toContain('403');
    await page.close();
  }, 60_000);
});
