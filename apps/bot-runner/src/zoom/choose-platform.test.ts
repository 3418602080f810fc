import { expect, test } from '@jest/globals';
import type { BotInvocation, PagePackOverlay } from '@rapporteur/contracts';
import { builtInPagePack } from '@rapporteur/meeting-platforms/page-packs';
import { choosePagePack } from './choose-platform.ts';

const builtIn = builtInPagePack('meet');
const overlay: PagePackOverlay = {
  format: 1,
  platform: 'meet',
  version: 'mended',
  base: builtIn.version,
  share: 100,
  elements: { joinButton: { first: ['#enter'] } },
};

function choose(pagePack: PagePackOverlay | null) {
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (_facts: unknown, line: string) => void warnings.push(line) };
  const pack = choosePagePack({ meeting: { platform: 'meet' }, pagePack } as BotInvocation, logger as never);
  return { pack, warnings };
}

test('a bot without changes uses the pack of its build', () => {
  expect(choose(null)).toEqual({ pack: builtIn, warnings: [] });
});

test('changes for this build are laid over its pack', () => {
  const { pack, warnings } = choose(overlay);
  expect([pack.version, pack.elements['joinButton']?.[0], warnings]).toEqual([
    `${builtIn.version}+mended`,
    '#enter',
    [],
  ]);
});

test.each<[what: string, change: Partial<PagePackOverlay>, why: string]>([
  ['for another build', { base: '2020-01-01.1' }, 'base is 2020-01-01.1'],
  ['for another platform', { platform: 'zoom' }, 'platform is zoom'],
  ['that name an unknown element', { elements: { gate: { first: ['a'] } } }, 'elements/gate is not known'],
])('changes %s are left out with a sentence', (_what, change, why) => {
  const { pack, warnings } = choose({ ...overlay, ...change });
  expect(pack).toEqual(builtIn);
  expect(warnings).toEqual([expect.stringContaining(why)]);
});
