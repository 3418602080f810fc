import { describe, expect, test } from '@jest/globals';
import { platformNames } from '../sites/platforms.ts';
import type { PageChange } from './page-change.ts';
import { PageChanges } from './page-changes.ts';
import { pageChangeNames, pageChangePresets } from './presets.ts';

const everyChange = pageChangeNames.flatMap((name) =>
  platformNames.map((platform): [string, string, PageChange] => [
    name,
    platform,
    pageChangePresets[name].changes[platform],
  ]),
);

describe('page changes', () => {
  test.each(everyChange)(
    '%s changes something on %s, and nothing that it has changed before',
    (_name, _platform, change) => {
      expect(Object.keys(change).length).toBeGreaterThan(0);
      const maps = [change.texts ?? {}, ...Object.values(change.attributes ?? {})];
      for (const map of maps) expect(Object.values(map).filter((to) => to !== null && to in map)).toEqual([]);
    },
  );

  test('hold for a platform or for all, and a room chooses before them', () => {
    const changes = new PageChanges();
    expect(changes.of({ platform: 'meet' })).toBeNull();
    changes.choose('human-check');
    changes.choose('other-labels', ['meet']);
    expect(changes.chosen()).toEqual({ meet: 'other-labels', teams: 'human-check', zoom: 'human-check' });
    expect(changes.of({ platform: 'zoom' })).toBe(pageChangePresets['human-check'].changes.zoom);
    expect(changes.of({ platform: 'meet', pageChange: 'new-dialog' })).toBe(
      pageChangePresets['new-dialog'].changes.meet,
    );
    expect(changes.of({ platform: 'meet', pageChange: 'none' })).toBeNull();
  });
});
