import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { Browser } from 'playwright-core';
import { readMarkup } from '../evidence.ts';
import { launchTestBrowser } from '../testing/test-browser.ts';
import { startMeetHarness } from '../testing/meet-harness.ts';
import type { RunningHarness } from '../testing/simulator-harness.ts';
import { startTeamsHarness } from '../testing/teams-harness.ts';
import { startZoomHarness } from '../testing/zoom-harness.ts';

/** Each has the mark of what a participant wrote. */
const mark = 'Mallory';
const hostileNames = [`${mark} "><script>1</script>`, `${mark} Join now`, `<button>${mark}</button>`];
const message = `${mark} wrote <button aria-label="Leave">Leave</button>`;

describe('the markup of a page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchTestBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  async function markupOf(body: string, words: readonly string[] = []) {
    const page = await browser.newPage();
    await page.setContent(`<!doctype html><title>${mark}</title>${body}`);
    const markup = await readMarkup(page.mainFrame(), { participantsText: '[data-tile]', words });
    await page.close();
    return markup!;
  }

  test('has tags, attributes of the list, and the texts of controls and notices', async () => {
    const { html, truncated } = await markupOf(`<main class="a b"><h1>Ready to join?</h1><p>Some text</p>
      <input jsname="x1" type="text" placeholder="Your name" maxlength="60" value="typed">
      <button jsname="Qx7" aria-label="Ask to join"><span>Ask to join</span></button>
      <div role="dialog"><p>Do you agree?</p><button style="display: none">Yes</button></div>
      <a href="https://meet.example/?pwd=1">Home</a><iframe src="https://check.example/frame?token=1"></iframe></main>`);
    expect(truncated).toBe(false);
    expect(html.replaceAll(/>\s+</g, '><')).toBe(
      '<body><main class="a b"><h1>Ready to join?</h1><p></p>' +
        '<input jsname="x1" type="text" placeholder="Your name" maxlength="60">' +
        '<button jsname="Qx7" aria-label="Ask to join"><span>Ask to join</span></button>' +
        '<div role="dialog"><p>Do you agree?</p><button data-not-shown>Yes</button></div>' +
        '<a>Home</a><iframe src="https://check.example/frame"></iframe></main></body>',
    );
  });

  test.each([
    [
      'a tile of the pack',
      `<div data-tile="${mark}" aria-label="${mark}"><span>${mark}</span><button>Pin ${mark}</button></div>`,
    ],
    [
      'a tile of an unknown form',
      `<div role="menuitem" data-tid="${mark} Smith!"><video></video><span>${mark}</span></div>`,
    ],
    [
      'names in attributes',
      `<div data-self-name="${mark}" data-sender="${mark}" alt="${mark}" title="${mark}" aria-label="${mark}"></div>`,
    ],
    [
      'a list of participants',
      `<div role="list" aria-label="People"><div role="listitem" aria-label="${mark}"><button>${mark}</button></div></div>`,
    ],
    [
      'a chat of an unknown form',
      `<section><p>${mark}</p><div>${message}</div></section>`.replace('<button', '<i').replace('</button', '</i'),
    ],
    [
      'what is being typed',
      `<textarea>${mark}</textarea><div contenteditable="true" aria-label="Type">${mark}</div><input value="${mark}">`,
    ],
    ['a select', `<select><option>${mark}</option></select>`],
    ['a comment, a script and a style', `<!-- ${mark} --><script>"${mark}"</script><style>.${mark}{}</style>`],
  ])('has no words of %s', async (_what, body) => {
    const { html } = await markupOf(body);
    expect(html).not.toContain(mark);
  });

  test('has no control or notice whose text or attribute contains a known name or message', async () => {
    const body = `<h2>${mark} is presenting</h2><button id="${mark}" aria-label="Pin ${mark}">Mute ${mark}</button>
      <div role="alert">${mark}: good morning all</div><button>Leave</button>`;
    const { html } = await markupOf(body, [mark, 'good morning all']);
    expect(html).not.toContain(mark);
    expect(html).not.toContain('good morning');
    expect(html).toContain('<button>Leave</button>');
  });

  test('is bounded in elements, depth and length', async () => {
    const many = await markupOf('<p></p>'.repeat(10_000));
    const deep = await markupOf('<div>'.repeat(500));
    const long = await markupOf(`<button>${'long '.repeat(10_000)}</button>`);
    expect([many.truncated, deep.truncated, long.truncated]).toEqual([true, true, false]);
    for (const { html } of [many, deep, long]) expect(html.length).toBeLessThan(250_000);
    expect(long.html.length).toBeLessThan(400);
  });
});

describe.each([
  ['meet', startMeetHarness],
  ['teams', startTeamsHarness],
  ['zoom', startZoomHarness],
] as const)('the evidence of a failed join to %s', (_name, start) => {
  let harness: RunningHarness;
  beforeAll(async () => {
    harness = await start();
  }, 60_000);
  afterAll(() => harness.close());

  test('has the structure of a call that it does not recognize, and nothing that its participants wrote', async () => {
    const participants = hostileNames.map((name) => ({ name }));
    const room = await harness.openRoom({ variant: { pageChange: 'redesigned-call', participants } });
    const { session, close } = await harness.session();
    const stop = new AbortController();
    const joining = session.join({ joinUrl: room.joinUrl, botName: 'Rapporteur' }, stop.signal).catch(() => null);
    const htmlNow = async (): Promise<string> => (await session.evidence()).pageMarkup?.html ?? '';
    await waitFor(async () => (await room.log()).some(({ kind }) => kind === 'joined'), {
      what: 'the bot in the call',
    });
    await room.say(hostileNames[0]!, message);
    await waitFor(async () => /Hang up/.test(await htmlNow()), { what: 'the controls of the call' });
    // Tiles come with a delay of their own.
    await waitFor(async () => /data-participant-id|role="menuitem"|call-tile/.test(await htmlNow()), { what: 'tiles' });
    const html = await htmlNow();
    stop.abort(new Error('enough'));
    await joining;
    await close();
    await room.close();
    expect(html).not.toContain(mark);
    expect(html.length).toBeLessThan(250_000);
  }, 60_000);
});
