import { describe, expect, test } from '@jest/globals';
import { SpeechLayers } from './speech-layers.page.ts';
import type { LayeredChange, SpeechLayer } from './speech-layers.page.ts';

const silence = { levels: [], 'active-speaker': [], tiles: [] };

/** Samples every 50 ms from one moment to another; levels come every 200 ms, as the messages do. */
function observe(
  layers: SpeechLayers,
  span: readonly [number, number],
  speakers: Partial<Record<SpeechLayer, readonly string[]>>,
): LayeredChange[] {
  const changes: LayeredChange[] = [];
  for (let atMs = span[0]; atMs < span[1]; atMs += 50) {
    const levels = atMs % 200 === 0 ? (speakers.levels ?? []) : [];
    changes.push(...layers.observe({ ...silence, ...speakers, levels }, atMs));
  }
  return changes;
}

describe('layers of speech', () => {
  test('levels are believed first, and each voice has its own turn: overlap stays overlap', () => {
    const layers = new SpeechLayers();
    const changes = [
      ...observe(layers, [0, 1_000], { levels: ['a'], 'active-speaker': ['a'], tiles: ['a'] }),
      ...observe(layers, [1_000, 2_000], { levels: ['a', 'b'], 'active-speaker': ['a'], tiles: ['a'] }),
      ...observe(layers, [2_000, 4_000], {}),
    ];
    expect(changes).toEqual([
      { key: 'a', speaking: true, atMs: 0, layer: 'levels' },
      { key: 'b', speaking: true, atMs: 1_000, layer: 'levels' },
      { key: 'a', speaking: false, atMs: 2_050, layer: 'levels' },
      { key: 'b', speaking: false, atMs: 2_050, layer: 'levels' },
    ]);
  });

  test('where no level ever comes, the named speaker counts, and silence is silence', () => {
    const layers = new SpeechLayers();
    const changes = [
      ...observe(layers, [0, 1_000], { 'active-speaker': ['a'] }),
      ...observe(layers, [1_000, 3_000], {}),
      ...observe(layers, [3_000, 4_000], { 'active-speaker': ['b'] }),
    ];
    expect(changes).toEqual([
      { key: 'a', speaking: true, atMs: 300, layer: 'active-speaker' },
      { key: 'a', speaking: false, atMs: 950, layer: 'active-speaker' },
      { key: 'b', speaking: true, atMs: 3_000, layer: 'active-speaker' },
    ]);
  });

  test('levels that stop while a speaker is named are replaced, and used again when they return', () => {
    const layers = new SpeechLayers();
    observe(layers, [0, 1_000], { levels: ['a'], 'active-speaker': ['a'] });
    const without = observe(layers, [1_000, 6_000], { 'active-speaker': ['b'] });
    expect(without.find(({ key, speaking }) => key === 'b' && speaking)).toMatchObject({ layer: 'active-speaker' });
    const again = observe(layers, [6_000, 6_400], { levels: ['b'], 'active-speaker': ['b'] });
    expect(again.map(({ layer, speaking }) => [layer, speaking])).toEqual([
      ['active-speaker', false],
      ['levels', true],
    ]);
  });

  test('a tile that stays marked says nothing where messages name speakers', () => {
    const layers = new SpeechLayers();
    observe(layers, [0, 1_000], { levels: ['a'], tiles: ['a'] });
    const quiet = observe(layers, [1_000, 60_000], { tiles: ['a'] });
    expect(quiet.map(({ speaking }) => speaking)).toEqual([false]);
  });

  test('tiles alone are better than nothing', () => {
    const layers = new SpeechLayers();
    expect(observe(layers, [0, 1_000], { tiles: ['name:Alice'] })).toMatchObject([
      { key: 'name:Alice', layer: 'tiles' },
    ]);
    expect(layers.speaking).toEqual(['name:Alice']);
  });
});
