import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { MeetingPlatformName, PagePackOverlay } from '@rapporteur/contracts';
import { platformNames } from '@rapporteur/contracts';
import { builtInPagePack, rulesChangedBy } from './index.ts';

const overlay = (platform: MeetingPlatformName, parts: Partial<PagePackOverlay>): PagePackOverlay => ({
  format: 1,
  platform,
  version: '1',
  base: builtInPagePack(platform).version,
  share: 100,
  ...parts,
});
const none = { replace: '.none' };

test.each([
  ['meet', { elements: { joinButton: { first: ['button'] } } }, []],
  ['meet', { texts: { 'not-found-text': { first: ['gone'] } } }, ['not-found-text']],
  ['meet', { texts: { 'sign-in-heading': { first: ['^log in$'] } } }, ['sign-in-text']],
  ['zoom', { texts: { 'link-invalid-title': { first: ['gone'] } } }, ['link-invalid-or-not-started']],
  ['teams', { page: { callEnded: none, tile: none } }, ['ended-screen']],
  ['zoom', { page: { passcodeField: none } }, ['passcode-missing']],
] as const)('an overlay of %s with %j decides the rules %j', (platform, parts, rules) => {
  expect([...rulesChangedBy(overlay(platform, parts as unknown as Partial<PagePackOverlay>))]).toEqual(rules);
});

test('an overlay that changes what is read as text decides every rule of a text', () => {
  const changed = rulesChangedBy(overlay('meet', { page: { notices: { replace: 'h1' } } }));
  for (const rule of ['denied-text', 'not-found-text', 'sign-in-text', 'lobby-text']) expect(changed).toContain(rule);
  expect(changed).not.toContain('visible-challenge');
});

test('the rules that an overlay may decide are rules of the pages', () => {
  const joining = readFileSync(join(import.meta.dirname, '../web-client/join-meeting.ts'), 'utf8');
  for (const platform of platformNames) {
    const { texts, page, states } = builtInPagePack(platform);
    const rules = states.map(({ rule }) => rule);
    const every = overlay(platform, {
      texts: Object.fromEntries(Object.keys(texts).map((name) => [name, { first: ['x'] }])),
      page: Object.fromEntries(Object.keys(page).map((name) => [name, none])),
    });
    for (const rule of rulesChangedBy(every)) expect(rules.includes(rule) || joining.includes(`'${rule}'`)).toBe(true);
  }
});
