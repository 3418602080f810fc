import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { waitFor } from '@rapporteur/testbed';
import { eventOf } from './api-client.ts';
import { runCommand } from './command-line.ts';
import { inspectPage, openConsoleBrowser, signIn } from './console-browser.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam, CollectedSpan } from './shared-stack.ts';

const shots = join(tmpdir(), 'rapporteur-console-screenshots');
/** Long enough for both to speak. */
const recordedMs = 25_000;
const hostile = {
  bot: '<img src=x onerror=alert(1)>',
  participant: '<svg onload=alert(2)> Eve',
  chat: '<script>alert(3)</script> "> <a href="javascript:alert(4)">here</a>',
};

let team: OwnTeam;
let receiver: Receiver;
let browser: ConsoleBrowser;
let page: Page;
let startedAt = 0;
const problems: string[] = [];

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  receiver = await startReceiver();
  team = await createOwnTeam();
  startedAt = Date.now();
  browser = await openConsoleBrowser(team.apiUrl);
  page = browser.page;
}, 180_000);

afterEach(() => {
  // No page loads foreign content, violates its policy, fails, or runs injected script.
  expect(browser.offences.splice(0)).toEqual([]);
});

afterAll(async () => {
  await browser?.stop();
  await receiver?.close();
}, 60_000);

const inspect = async (name: string): Promise<void> => void problems.push(...(await inspectPage(page, name, shots)));
const open = (path: string): Promise<unknown> => page.goto(`${team.apiUrl}/console${path}`);
const video = (expression: string) => page.evaluate(`document.querySelector('video').${expression}`);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

describe('signing in', () => {
  test('happens at the address of the API, with an API key', async () => {
    await page.goto(team.apiUrl);
    await page.getByLabel('API key').waitFor();
    await inspect('sign-in');
    await signIn(page, team);
    await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
    await inspect('no-bots');
  });

  test('leaves no key in the page: not in its storage, its cookies or its text', async () => {
    const held = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])',
    );
    expect(held).not.toContain(team.apiKey);
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
    await page.getByText('The test event arrived: status 200.').waitFor();
    await waitFor(() => receiver.calls.length > 0, { what: 'the test event' });
    await inspect('webhooks');
    await page.getByRole('link', { name: 'Our receiver' }).click();
    await page.getByText('Delivered', { exact: true }).last().waitFor();
    await inspect('endpoint');
  });

  test('it is checked while its link is typed, sent, and followed live', async () => {
    const room = await team.simulator.startRoom({
      participants: [{ name: 'Alice Martin' }, { name: hostile.participant }],
    });
    await signIn(page, team);
    await page.getByRole('navigation').getByRole('link', { name: 'Send a bot' }).click();
    await page.getByLabel('Meeting link').fill('https://example.com/no-meeting');
    await page.getByText('The link is not understood.').waitFor();
    await page.getByLabel('Meeting link').fill(room.url);
    await page.getByText('Ready to send.').waitFor();
    await page.getByLabel('Name of the bot').fill(hostile.bot);
    await page.getByLabel('Transcription').selectOption('simulated-soniox');
    await page.getByLabel('Message in the chat when it joins').fill('This meeting is recorded.');
    await inspect('send');
    await page.getByRole('button', { name: 'Send the bot now' }).click();
    await heading(hostile.bot).waitFor();
    botPath = new URL(page.url()).pathname;
    await page.getByText('Recording', { exact: true }).first().waitFor();
    const recorded = sleep(recordedMs);
    await page.getByRole('region', { name: 'The meeting now' }).getByText('Speaking:').waitFor();
    await page.getByRole('img', { name: 'The meeting page as the bot sees it' }).waitFor();
    await team.simulator.post(`/rooms/${room.code}/chat`, { from: hostile.participant, text: hostile.chat });
    await page.getByRole('list', { name: 'Chat' }).getByText(hostile.chat).waitFor();
    await inspect('live-bot');
    await page.getByText(/^\d+:\d\d in the meeting$/).waitFor();
    await page.getByRole('button', { name: 'Pause the recording' }).click();
    await page.getByRole('button', { name: 'Resume the recording' }).click();
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByText('Write to the chat of the meeting').click();
    await page.getByLabel(/^Message/).fill('A word from the console.');
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.locator('.action-form .notice.pass').waitFor();
    await recorded;
    await team.simulator.post(`/rooms/${room.code}/end`);
    await page.getByText('Completed', { exact: true }).first().waitFor();
  }, 200_000);

  test('its recording plays, at the second that is chosen, and who spoke is shown', async () => {
    await page.getByLabel('Recording of the meeting').waitFor();
    const videoHas = (condition: string) => waitFor(() => video(condition), { what: condition });
    await videoHas('readyState >= 1');
    await video('muted = true');
    await video('play()');
    await videoHas('currentTime > 1');
    await video('pause()');
    const rows = page.getByRole('img', { name: /spoke \d+ times/ });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    const width = (await rows.first().boundingBox())?.width ?? 0;
    await rows.first().click({ position: { x: width / 2, y: 5 } });
    const [duration, at] = [Number(await video('duration')), Number(await video('currentTime'))];
    expect(Math.abs(at - duration / 2)).toBeLessThan(duration * 0.05);
  });

  test('a word of its transcript seeks, and the word of the second that plays is marked', async () => {
    const marked = () =>
      page.evaluate(`[...document.querySelectorAll('.word')].findIndex((word) =>
      word.classList.contains('current-word'))`);
    await page.locator('.transcript .word').nth(3).click();
    await waitFor(async () => (await marked()) === 3, { what: 'the word to be marked' });
    expect(Number(await video('currentTime'))).toBeGreaterThan(0);
    await video('play()');
    await waitFor(async () => Number(await marked()) > 3, { what: 'the mark to move on' });
    await video('pause()');
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

  test('it is transcribed again by another provider', async () => {
    await page.getByText('Transcribe it again', { exact: true }).click();
    await page.getByLabel(/^Provider/).selectOption('simulated-deepgram');
    await inspect('retranscribe');
    await page.getByRole('button', { name: 'Start the transcription' }).click();
    await page.locator('dd', { hasText: /^simulated-deepgram$/ }).waitFor();
    await page.getByText('Completed', { exact: true }).first().waitFor();
  }, 90_000);

  test('its events are listed with their attempts, and go out again on request', async () => {
    await page.getByRole('tab', { name: 'Events and deliveries' }).click();
    const again = page.getByRole('button', { name: 'Send again: bot.completed' });
    await again.waitFor();
    await inspect('bot-events');
    const completed = () => receiver.calls.filter((call) => eventOf(call) === 'bot.completed').length;
    const before = completed();
    await again.click();
    await waitFor(() => completed() > before, { what: 'the event again' });
  });

  test('its trace leads from the request through the runner to the last webhook', async () => {
    const wanted = ['api-gateway', 'bot-scheduler', 'bot-runner', 'delivery'];
    // The bots of other files count too: each trace is one bot's.
    const trace = async () => {
      const all = (await (await fetch(team.spansUrl)).json()) as CollectedSpan[];
      return all
        .filter(({ name }) => name === 'deliver bot.completed')
        .map(({ traceId }) => all.filter((span) => span.traceId === traceId))
        .find((spans) => wanted.every((service) => spans.some((span) => span.service === service)));
    };
    const spans = await waitFor(trace, { what: 'one trace over all services' });
    const names = spans.map(({ service, name }) => `${service}: ${name}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'api-gateway: POST /v2/bots',
        'bot-scheduler: bot',
        'bot-runner: attend meeting',
        'bot-runner: finalize recording',
        'delivery: deliver bot.completed',
      ]),
    );
  });

  test('its files are refused without a session', async () => {
    const address = `${team.apiUrl}${botPath.replace('/bots/', '/artifacts/')}/video`;
    expect((await fetch(address)).status).toBe(401);
  });
});

describe('a bot that fails', () => {
  test('states why, shows what it saw, and offers the next try', async () => {
    const meeting = await browser.context.newPage();
    await meeting.goto(team.simulatorUrl);
    await meeting.getByLabel('Lobby').selectOption('refuse');
    // The page lists the meetings of other files, too.
    const [started] = await Promise.all([
      meeting.waitForResponse((response) => response.url().endsWith('/rooms') && response.status() === 201),
      meeting.getByRole('button', { name: 'Start a meeting' }).click(),
    ]);
    const { url } = (await started.json()) as { url: string };
    await meeting.locator('#rooms').getByRole('link', { name: url }).waitFor();
    await meeting.close();
    await open('/send');
    await page.getByLabel('Meeting link').fill(url);
    await page.getByLabel('Name of the bot').fill('Refused');
    await page.getByRole('button', { name: 'Send the bot now' }).click();
    await heading('Refused').waitFor();
    await page.getByText('Failed', { exact: true }).first().waitFor();
    await open('/?status=failed');
    await page.getByRole('link', { name: 'Refused' }).click();
    await page.getByText('BOT_NOT_ACCEPTED', { exact: true }).first().waitFor();
    await page.getByText('Admit the bot; a stored login').waitFor();
    const seen = page.getByRole('img', { name: /^The meeting page, screenshot 1/ });
    await seen.waitFor();
    await waitFor(() => page.evaluate(`document.querySelector('.screenshots img').naturalWidth > 0`), {
      what: 'the screenshot to be shown',
    });
    await page.getByText('denied-text', { exact: true }).waitFor();
    const steps = page.getByRole('table', { name: 'Steps of the session' });
    await steps.getByRole('rowheader', { name: 'page-opened' }).waitFor();
    await steps
      .getByText(/^\d+\.\d\d s$/)
      .first()
      .waitFor();
    await inspect('failed-bot');
    await page.getByRole('link', { name: 'Send another bot, if the meeting is still running.' }).click();
    expect(await page.getByLabel('Meeting link').inputValue()).toBe(url);
  }, 120_000);

  test('is the end of the first steps of docs/guides/console.md, within five minutes of the start', () => {
    expect(Date.now() - startedAt).toBeLessThan(300_000);
  });
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
    // Return twice must not confirm.
    await page.locator(':focus', { hasText: 'Keep it as it is' }).waitFor();
    await inspect('dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel: Rapporteur' }).click();
    await page.getByRole('button', { name: 'Cancel the bot' }).click();
    await page.getByRole('table').getByText('Cancelled', { exact: true }).waitFor();
  });

  test('usage is shown by day, and downloaded as CSV by bot', async () => {
    await open('/usage');
    await page.getByRole('rowheader', { name: 'Total' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the bots (CSV)' }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toMatch(/^bot_id,ended_at,meeting_platform,recorded_seconds,/);
    expect(lines).toHaveLength(3);
    await inspect('usage');
  });

  test('a key is created, works, and is refused after it was revoked', async () => {
    await open('/keys');
    await page.getByLabel('Name').fill('A program with a name that is as long as it may be');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const text = await page.getByText(/^rap_\w{39}$/).innerText();
    const use = async () => (await team.api.call('GET', '/v2/bots', undefined, text)).status;
    expect(await use()).toBe(200);
    await inspect('keys');
    await page.getByRole('button', { name: /^Revoke: A program/ }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('Revoked and expired keys (1)').waitFor();
    await waitFor(async () => (await use()) === 403, { what: 'the key to be refused' });
  });

  test('the audit log names what was done, and with which key', async () => {
    await open('/audit-log');
    await page.getByRole('rowheader', { name: 'Revoke API key' }).waitFor();
    await inspect('audit-log');
  });

  test('storage that does not work is refused with the reason, and nothing changes', async () => {
    await open('/storage');
    await page.getByText('The service stores your recordings').waitFor();
    const box = (name: string) => page.getByRole('textbox', { name });
    await box('Address').fill('http://127.0.0.1:9');
    for (const label of ['Region', 'Bucket of recordings and transcripts', 'Bucket of fragments', 'Bucket of evidence'])
      await box(label).fill('example');
    for (const label of ['Ingest key id', 'Ingest secret key', 'Service key id', 'Service secret key'])
      await page.getByLabel(label).fill('example');
    await page.getByRole('button', { name: 'Check and save' }).click();
    await page.getByRole('alert').waitFor();
    await inspect('storage');
    // The browser itself reports that this configuration is refused.
    expect(new Set(browser.offences.splice(0).map((text) => /status of (\d+)/.exec(text)?.[1]))).toEqual(
      new Set(['400']),
    );
  });

  test.each([
    ['calendars', 'Calendars', 'No calendar is connected'],
    ['logins', 'Logins', 'No logins yet'],
    ['nowhere', 'Not found', 'There is nothing at this address'],
  ])('%s state what to do when there is nothing', async (path, title, empty) => {
    await open(`/${path}`);
    await heading(title).waitFor();
    await page.getByText(empty).first().waitFor();
    await inspect(path);
  });

  test('all of them, at two widths, light and dark, have no serious finding of axe and fit the window', () => {
    expect(problems).toEqual([]);
  });
});

describe('the command line', () => {
  test('finds the same stack by its folder, and names the same bots, keys and usage', async () => {
    const run = <T>(...words: string[]) => runCommand<T>(team.dataFolder, words);
    const bots = await run<{ bot_name: string }[]>('bots', 'list', '--team', team.teamId);
    expect(bots.map(({ bot_name: name }) => name)).toEqual(['Refused', hostile.bot]);
    const days = await run<{ bots: number }[]>('usage', 'days', '--team', team.teamId);
    expect(days.reduce((sum, day) => sum + day.bots, 0)).toBe(2);
    const rooms = await run<unknown[]>('rooms', 'list');
    expect(rooms.length).toBeGreaterThan(0);
    const { findings } = await run<{ findings: { check: string; state: string }[] }>('doctor');
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
  });
});

describe('signing out', () => {
  test('ends the session: going back leads to the sign-in', async () => {
    const [cookie] = await browser.context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await browser.context.cookies()).toEqual([]);
    expect(cookie?.name).toBe('rapporteur_console');
    await page.goBack();
    await page.getByLabel('API key').waitFor();
  });
});
