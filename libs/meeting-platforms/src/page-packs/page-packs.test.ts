import { describe, expect, test } from '@jest/globals';
import { pagePack, platformNames } from '@rapporteur/contracts';
import type { PagePackOverlay } from '@rapporteur/contracts';
import { checkPack } from './apply-overlay.ts';
import { applyOverlay, builtInPagePack, pagePackVersion, readPagePackOverlay, TextMatcher } from './index.ts';
import { selectorProblem } from './selector-syntax.ts';

const meet = builtInPagePack('meet');
const overlay = (part: Partial<PagePackOverlay>): PagePackOverlay =>
  readPagePackOverlay(JSON.stringify({ format: 1, platform: 'meet', version: 'mended', base: meet.version, ...part }));
const messageOf = (part: Record<string, unknown>): string => {
  try {
    overlay(part);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was not refused.');
};

describe('the built-in packs', () => {
  test.each(platformNames)('that of %s fits the schema, and its selectors and patterns are valid', (platform) => {
    const pack = builtInPagePack(platform);
    expect(pagePack.parse(pack)).toEqual(pack);
    expect(() => checkPack(pack)).not.toThrow();
    expect(pack.platform).toBe(platform);
  });
});

describe('an overlay', () => {
  test('extends lists at both ends and leaves the others alone', () => {
    const pack = applyOverlay(meet, overlay({ elements: { joinButton: { first: ['#a'], last: ['#b', '#c'] } } }));
    expect(pack.elements['joinButton']).toEqual(['#a', ...(meet.elements['joinButton'] ?? []), '#b', '#c']);
    expect({ ...pack, elements: null, version: null }).toEqual({ ...meet, elements: null, version: null });
    expect(pack.elements['leave']).toEqual(meet.elements['leave']);
    expect(pack.version).toBe(`${meet.version}+mended`);
  });

  test('replaces lists, selectors of the page, texts and captions, and puts dialogs in front', () => {
    const dialog = { what: 'survey', text: ['how was the call'], buttons: ['button[aria-label="Close"]'] };
    const pack = applyOverlay(
      meet,
      overlay({
        elements: { leave: { replace: ['#leave'] } },
        page: { leave: { replace: '#leave' }, screenLabels: { replace: ['Shared by'] } },
        texts: { 'denied-text': { replace: ['go away'] } },
        captions: { keys: { replace: [] } },
        dialogs: { first: [dialog] },
      }),
    );
    expect(pack.elements['leave']).toEqual(['#leave']);
    expect(pack.page).toMatchObject({ leave: '#leave', screenLabels: ['Shared by'], tile: meet.page['tile'] });
    expect(pack.texts['denied-text']).toEqual(['go away']);
    expect(pack.captions).toEqual({ ...meet.captions, keys: [] });
    expect(pack.dialogs).toEqual([dialog, ...meet.dialogs]);
  });

  test('is used by every bot unless it states a share', () => {
    expect(overlay({}).share).toBe(100);
    expect(overlay({ share: 10 }).share).toBe(10);
  });

  test('has its version beside that of its base', () => {
    expect(pagePackVersion(meet, null)).toBe(meet.version);
    expect(pagePackVersion(meet, overlay({}))).toBe(`${meet.version}+mended`);
  });
});

describe('a refusal names the field and the remedy', () => {
  test.each<[part: Record<string, unknown>, sentence: RegExp]>([
    [
      { elements: { joinKnob: { first: ['a'] } } },
      /elements\/joinKnob is not known\. Known are: nameField, joinButton, /,
    ],
    [{ base: '2020-01-01.1' }, /base is 2020-01-01\.1, but the built-in pack of meet has version /],
    [{ elements: { joinButton: { first: ['xpath=//a'] } } }, /elements\/joinButton has a selector that .*xpath=\/\/a/],
    [{ texts: { 'left-text': { last: ['(a'] } } }, /texts\/left-text has a pattern that is no RE2 pattern \(.*\): \(a/],
    [{ share: 0 }, /share does not fit: /],
  ])('%j', (part, sentence) => {
    expect(messageOf(part)).toMatch(sentence);
  });

  test('of the pack of another platform', () => {
    expect(() => applyOverlay(builtInPagePack('zoom'), overlay({}))).toThrow('platform is meet');
  });
});

describe('a selector', () => {
  test.each([
    'button',
    'a.b#c[d][e="f" i][g^=h]:not(.i, :is(j, k)):nth-child(2n + 1)',
    'div:has(> span + a ~ b) p',
    'button:has(span:text-is("Join now"))',
    "button:has-text('don\\'t')",
    '#\\31 23',
    '[aria-label="Csatlakozás (most), >> xpath="]',
  ])('%s is taken', (selector) => {
    expect(selectorProblem(selector, 'element')).toBeNull();
  });
});

describe('texts', () => {
  test('match in any case, at any place, and in other alphabets', () => {
    const texts = new TextMatcher(['left the (meeting|call)', 'ELUTASÍTOTTA', '^only at the start']);
    expect(texts.test('You Left The Call.')).toBe(true);
    expect(texts.test('A házigazda elutasította.')).toBe(true);
    expect(texts.test('it is only at the start')).toBe(false);
  });

  test('with an exception match only outside of it', () => {
    const texts = new TextMatcher([{ match: 'waiting to be let in', unless: 'instead of waiting to be let in' }]);
    expect(texts.test('Instead of waiting to be let in, sign in')).toBe(false);
    expect(texts.test('Instead of waiting to be let in, sign in. Waiting to be let in')).toBe(true);
  });
});
