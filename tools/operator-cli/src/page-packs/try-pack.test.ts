import { describe, expect, test } from '@jest/globals';
import { builtInPagePack, readPagePackOverlay, applyOverlay } from '@rapporteur/meeting-platforms/page-packs';
import { changesOf } from '../groups/pages.ts';
import { StoredPage } from './stored-page.ts';
import { tryPack } from './try-pack.ts';

const meet = builtInPagePack('meet');
const overlay = readPagePackOverlay(
  JSON.stringify({
    format: 1,
    platform: 'meet',
    version: 'request-entry',
    base: meet.version,
    elements: { joinButton: { first: ['button[jsname="bXc92d"]'] }, leave: { replace: ['button:text-is("Hang up")'] } },
    texts: { 'lobby-text': { last: ['you are expected'] } },
    dialogs: { first: [{ what: 'rules', text: ['house rules'], buttons: ['button:text-is("I agree")'] }] },
  }),
);
const html = `<body><h1>Ready to join?</h1><input type="text" maxlength="60" placeholder="Your name">
  <button jsname="bXc92d" aria-label="Request entry"><span>Request entry</span></button>
  <div role="dialog"><p>Our house rules</p><button>I agree</button></div><h2 data-not-shown>You are expected</h2></body>`;

function placeOf(pack: typeof meet, element: string) {
  const found = tryPack(pack, html).elements.find((one) => one.element === element);
  return found && [found.candidate, found.of];
}

describe('a pack on a stored page', () => {
  test('finds each element by its first candidate that is visible, and states its place', () => {
    expect(placeOf(meet, 'nameField')).toEqual([2, meet.elements['nameField']?.length]);
    expect(placeOf(meet, 'joinButton')).toEqual([null, meet.elements['joinButton']?.length]);
    expect(placeOf(applyOverlay(meet, overlay), 'joinButton')).toEqual([0, meet.elements['joinButton']!.length + 1]);
  });

  test('finds texts, dialogs and regions, none that are not visible', () => {
    const { texts, dialogs, regions } = tryPack(applyOverlay(meet, overlay), html);
    expect(dialogs).toEqual(['rules']);
    expect(texts).not.toContain('lobby-text');
    expect(regions).toContain('nameField');
    const shown = tryPack(applyOverlay(meet, overlay), html.replace(' data-not-shown', ''));
    expect(shown.texts).toEqual([...texts, 'lobby-text']);
  });

  test.each(['meet', 'teams', 'zoom'] as const)('evaluates every selector of the built-in pack of %s', (platform) => {
    const pack = builtInPagePack(platform);
    expect(tryPack(pack, '<body></body>').elements.map(({ candidate }) => candidate)).toEqual(
      Object.keys(pack.elements).map(() => null),
    );
  });
});

describe('a selector on a stored page', () => {
  const page = new StoredPage(
    `<button id="a">Join  <b>now</b></button><button id="b"><span>Join now</span></button>
     <div id="c" role="button" aria-label="It’s on">Rejoin now</div><input id="d" placeholder="Your Name">`,
  );
  test.each([
    ['button:has-text("join NOW")', ['a', 'b']],
    ['button:text-is("Join now")', ['a']],
    ['button:has(span:text-is("Join now"))', ['b']],
    [':is(button,[role="button"]):text-matches("^(Re)?join now$")', ['c']],
    [':is(button,[role="button"]):text-matches("^(Rej|J)oin now$")', ['a', 'c']],
    [':is(button,[role="button"]):text-matches("^(Rej|J)OIN now$", "i")', ['a', 'c']],
    ['button:has(span:text-matches("^Enter", "i"))', []],
    ['input[placeholder*="name" i]', ['d']],
    ['[role^="b"]:not(button)', ['c']],
    ['button:has-text(") now")', []],
  ])('%s locates what Playwright locates', (selector, ids) => {
    expect(page.shown(selector).map(({ attribs }) => attribs['id'])).toEqual(ids);
  });

  test('with quotation marks in its text is read as a whole', () => {
    expect(new StoredPage('<p>He said "no"</p>').shown(String.raw`p:has-text("said \"no\"")`).length).toBe(1);
  });
});

describe('the changes of an overlay', () => {
  test('are what it adds, with its place, and what it takes away', () => {
    const changes = changesOf(meet, overlay);
    expect(changes).toContainEqual({ field: 'elements/joinButton', change: '+ 1', value: 'button[jsname="bXc92d"]' });
    expect(changes.filter(({ field }) => field === 'elements/leave')).toEqual([
      ...meet.elements['leave']!.map((value) => ({ field: 'elements/leave', change: '-', value })),
      { field: 'elements/leave', change: '+ 1', value: 'button:text-is("Hang up")' },
    ]);
    const last = meet.texts['lobby-text']!.length + 1;
    expect(changes).toContainEqual({ field: 'texts/lobby-text', change: `+ ${last}`, value: 'you are expected' });
    expect(changes.filter(({ field }) => field === 'dialogs')).toHaveLength(1);
    expect(changes.some(({ field }) => field.startsWith('page/') || field.startsWith('captions/'))).toBe(false);
  });
});
