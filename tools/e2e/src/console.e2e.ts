import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiClient } from './api-client.ts';
import { inspectPage, openConsoleBrowser } from './console-browser.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { SimulatorClient } from './simulator-client.ts';
import { newDataFolder, removeDataFolder, startStackProcess } from './stack-process.ts';
import type { StackProcess } from './stack-process.ts';
import { waitUntil } from './waiting.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const dataFolder = newDataFolder();
/** Kept: people look at them. */
const shots = join(tmpdir(), 'rapporteur-console-screenshots');
const hostile = {
  bot: '<img src=x onerror=alert(1)>',
  participant: '<svg onload=alert(2)> Eve',
  chat: '<script>alert(3)</script> "> <a href="javascript:alert(4)">here</a>',
};

let stack: StackProcess;
let api: ApiClient;
let simulator: SimulatorClient;
let receiver: WebhookReceiver;
let browser: ConsoleBrowser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  receiver = await startWebhookReceiver();
  stack = await startStackProcess(dataFolder);
  api = new ApiClient(stack.apiUrl, stack.apiKey ?? '');
  simulator = new SimulatorClient(stack.simulatorUrl);
  browser = await openConsoleBrowser(stack.apiUrl);
  page = browser.page;
}, 180_000);

afterEach(() => {
  // No page loads from elsewhere, breaks its policy, fails, or runs what somebody wrote.
  expect(browser.offences).toEqual([]);
});

afterAll(async () => {
  await browser?.stop();
  await stack?.interrupt();
  await removeDataFolder(dataFolder);
  await receiver?.stop();
}, 60_000);

const inspect = async (name: string): Promise<void> => void problems.push(...(await inspectPage(page, name, shots)));
const open = (path: string): Promise<unknown> => page.goto(`${stack.apiUrl}/console${path}`);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

describe('signing in', () => {
  test('happens at the address of the API, with the key that the start printed', async () => {
    await page.goto(stack.apiUrl);
    await page.getByLabel('API key').waitFor();
    await inspect('sign-in');
    await page.getByLabel('API key').fill(stack.apiKey ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
    await inspect('no-bots');
  });

  test('leaves no key in the page: not in its storage, its cookies or its text', async () => {
    const held = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])',
    );
    expect(held).not.toContain(stack.apiKey ?? '');
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie] = await browser.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console' });
  });
});

describe('a bot from the form to its recording', () => {
  let botPath = '';

  test('a webhook endpoint is added, and gets a test event', async () => {
    await open('/webhooks');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Name').fill('Our receiver');
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    await page.getByText('whsec_').waitFor();
    await page.getByRole('button', { name: 'Send a test event: Our receiver' }).click();
    await page.getByText('The test event is on its way.').waitFor();
    await waitUntil(() => receiver.received.length > 0, { what: 'the test event', timeoutMs: 20_000 });
    await inspect('webhooks');
    await page.getByRole('link', { name: 'Our receiver' }).click();
    await page.getByText('succeeded', { exact: true }).last().waitFor();
    await inspect('endpoint');
  });

  test('it is checked while its link is typed, sent, and followed live', async () => {
    const room = await simulator.startRoom({
      participants: [{ name: 'Alice Martin' }, { name: hostile.participant }],
      durationSeconds: 40,
    });
    await page.getByRole('link', { name: 'Send a bot' }).click();
    await page.getByLabel('Meeting link').fill('https://example.com/no-meeting');
    await page.getByText('The link is not understood.').waitFor();
    await page.getByLabel('Meeting link').fill(room.url);
    await page.getByText('Ready to send.').waitFor();
    await page.getByLabel('Name of the bot').fill(hostile.bot);
    await page.getByLabel('Message in the chat when it joins').fill('This meeting is recorded.');
    await inspect('send');
    await page.getByRole('button', { name: 'Send the bot now' }).click();
    await heading(hostile.bot).waitFor();
    botPath = new URL(page.url()).pathname;
    await page.getByText('Recording', { exact: true }).waitFor({ timeout: 60_000 });
    await inspect('live-bot');
    await simulator.post(`/rooms/${room.code}/chat`, { from: hostile.participant, text: hostile.chat });
    await page.getByText('Completed', { exact: true }).waitFor({ timeout: 120_000 });
  }, 200_000);

  test('its recording plays, at the second that is chosen, and who spoke is shown', async () => {
    const video = page.getByLabel('Recording of the meeting');
    await video.waitFor();
    const videoSays = (condition: string) =>
      waitUntil(() => video.evaluate(`(element) => ${condition}`), { what: condition, timeoutMs: 20_000 });
    await videoSays('element.readyState >= 1');
    await video.evaluate('(element) => { element.muted = true; return element.play(); }');
    await videoSays('element.currentTime > 1');
    await video.evaluate('(element) => element.pause()');
    const rows = page.getByRole('img', { name: /spoke \d+ times/ });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    const width = (await rows.first().boundingBox())?.width ?? 0;
    await rows.first().click({ position: { x: width / 2, y: 5 } });
    const duration = Number(await video.evaluate('(element) => element.duration'));
    const at = Number(await video.evaluate('(element) => element.currentTime'));
    expect(Math.abs(at - duration / 2)).toBeLessThan(duration * 0.05);
  });

  test('what participants wrote is shown as they wrote it', async () => {
    await page.getByRole('tab', { name: 'Participants' }).click();
    await page.getByRole('tabpanel').getByText(hostile.participant, { exact: true }).waitFor();
    await inspect('bot');
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByText(hostile.chat, { exact: true }).waitFor();
    await inspect('bot-chat');
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('link', { name: 'Video' }).waitFor();
    await inspect('bot-details');
  });

  test('its events are listed with their attempts, and go out again on request', async () => {
    await page.getByRole('tab', { name: 'Events and deliveries' }).click();
    const again = page.getByRole('button', { name: 'Send again: bot.completed' });
    await again.waitFor();
    await inspect('bot-events');
    const completed = () => receiver.received.filter(({ event }) => event === 'bot.completed').length;
    const before = completed();
    await again.click();
    await waitUntil(() => completed() > before, { what: 'the event again', timeoutMs: 20_000 });
  });

  test('its files are refused to whoever is not signed in', async () => {
    const address = `${stack.apiUrl}${botPath.replace('/bots/', '/artifacts/')}/video`;
    expect((await fetch(address)).status).toBe(401);
  });
});

describe('a bot that fails', () => {
  test('says why, shows what it saw, and offers the next try', async () => {
    const room = await simulator.startRoom({ speakers: 1, lobby: 'refuse', durationSeconds: 60 });
    const botId = await api.createBot({ bot_name: 'Refused', meeting_url: room.url });
    await api.waitForStatus(botId, ['failed'], 90_000);
    await open('/?status=failed');
    await page.getByRole('link', { name: 'Refused' }).click();
    await page.getByText('BOT_NOT_ACCEPTED', { exact: true }).first().waitFor();
    await page.getByText('Ask the host to admit the bot').waitFor();
    const seen = page.getByRole('img', { name: /^The meeting page, screenshot 1/ });
    await seen.waitFor();
    await waitUntil(() => seen.evaluate('(image) => image.complete && image.naturalWidth > 0'), {
      what: 'the screenshot to be shown',
      timeoutMs: 20_000,
    });
    await inspect('failed-bot');
    await page.getByRole('link', { name: 'Send another bot to this meeting' }).click();
    expect(await page.getByLabel('Meeting link').inputValue()).toBe(room.url);
  }, 120_000);
});

describe('the other pages', () => {
  test('the list of bots is filtered by its address', async () => {
    await open('/?status=completed');
    await page.getByRole('link', { name: hostile.bot }).waitFor();
    expect(await page.getByRole('link', { name: 'Refused' }).count()).toBe(0);
    await page.getByLabel('Bot name').fill('no such bot');
    await page.getByRole('button', { name: 'Show all bots' }).click();
    await page.getByRole('link', { name: 'Refused' }).waitFor();
    await inspect('bots');
  });

  test('a bot is scheduled, listed and cancelled', async () => {
    await open('/send');
    await page.getByLabel('Meeting link').fill('https://meet.google.com/abc-defg-hij');
    await page.getByLabel('At a time').check();
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Joins at').fill(later);
    await page.getByRole('button', { name: 'Schedule the bot' }).click();
    await heading('Scheduled bots').waitFor();
    await inspect('scheduled');
    await page.getByRole('button', { name: 'Cancel: Rapporteur' }).click();
    await page.getByRole('dialog').waitFor();
    await inspect('dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel: Rapporteur' }).click();
    await page.getByRole('button', { name: 'Cancel the bot' }).click();
    await page.getByText('cancelled', { exact: true }).waitFor();
  });

  test.each([
    ['calendars', 'Calendars', 'No calendar is connected'],
    ['logins', 'Logins', 'No logins yet'],
    ['nowhere', 'Not found', 'There is nothing at this address'],
  ])('%s say what to do when there is nothing', async (path, title, empty) => {
    await open(`/${path}`);
    await heading(title).waitFor();
    await page.getByText(empty).first().waitFor();
    await inspect(path);
  });

  test('all of them, at two widths, light and dark, have no serious finding of axe and fit the window', () => {
    expect(problems).toEqual([]);
  });
});

describe('another site that the customer visits', () => {
  test('changes nothing in the console, though the browser sends it the cookie', async () => {
    const evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<form method="post" action="${stack.apiUrl}/console/session"><button>Free tokens</button></form>`);
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', () => resolve()));
    // Another port of the same host is the same site, to which SameSite does not apply.
    const otherPage = await browser.context.newPage();
    await otherPage.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const attempts = (await otherPage.evaluate(`Promise.all(['DELETE', 'POST', 'GET'].map((method) =>
      fetch('${stack.apiUrl}/console/session', { method, credentials: 'include', headers: { 'x-rapporteur-console': '1' } })
        .then(({ status }) => status, () => 'blocked')))`)) as unknown[];
    expect(attempts).toEqual(['blocked', 'blocked', 'blocked']);
    await otherPage.getByRole('button').click();
    await otherPage.getByText('FST_ERR_FORBIDDEN').waitFor();
    await otherPage.close();
    evil.closeAllConnections();
    evil.close();
    await open('/');
    await heading('Bots').waitFor();
  });
});

describe('signing out', () => {
  test('ends the session: the way back leads to the sign-in', async () => {
    const [cookie] = await browser.context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await browser.context.cookies()).toEqual([]);
    expect(cookie?.name).toBe('rapporteur_console');
    await page.goBack();
    await page.getByLabel('API key').waitFor();
  });
});
