import { describe, expect, test } from '@jest/globals';
import type { AudioSigns, AudioStep } from './audio-strategies.page.ts';
import { AudioChooser } from './audio-strategies.page.ts';

function over(chooser: AudioChooser, fromMs: number, toMs: number, signs: (nowMs: number) => Partial<AudioSigns>) {
  const steps: [atMs: number, step: string][] = [];
  const nameOf = (step: AudioStep): string => (step.kind === 'renew' ? 'renew' : `${step.to} ${step.reason}`);
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 500) {
    const step = chooser.choose({
      nowMs,
      loudAtMs: null,
      speaking: true,
      offer: 'a',
      refused: new Set(),
      ...signs(nowMs),
    });
    if (step) steps.push([nowMs, nameOf(step)]);
  }
  return steps;
}

describe('the choice of a source for the sound', () => {
  test('stays with the tracks while they have audio, and during silence', () => {
    expect(over(new AudioChooser(), 0, 60_000, (nowMs) => ({ loudAtMs: nowMs }))).toEqual([[0, 'tracks chosen']]);
    expect(over(new AudioChooser(), 0, 60_000, () => ({ speaking: false }))).toEqual([[0, 'tracks chosen']]);
  });

  test('reads the tracks anew, then takes what the page plays, then the tab, while a reported speaker has no audio', () => {
    const steps = over(new AudioChooser(), 0, 12_500, () => ({}));
    expect(steps).toEqual([
      [0, 'tracks chosen'],
      [3_500, 'renew'],
      [6_500, 'played silent'],
      [9_500, 'tab silent'],
      [12_500, 'tracks silent'],
    ]);
  });

  test('leaves out what the page does not have, and rests when nothing helped', () => {
    const steps = over(new AudioChooser(), 0, 100_000, () => ({ refused: new Set(['played', 'tab'] as const) }));
    expect(steps.map(([, step]) => step)).toEqual(['tracks chosen', 'renew', 'renew']);
  });

  test('goes no further than what helped', () => {
    const chooser = new AudioChooser();
    const steps = over(chooser, 0, 50_000, (nowMs) => ({ loudAtMs: chooser.current === 'tab' ? nowMs : null }));
    expect(steps.at(-1)).toEqual([9_500, 'tab silent']);
  });

  test('counts short pauses of a speaker as speech, and longer ones not', () => {
    const short = over(new AudioChooser(), 0, 4_000, (nowMs) => ({ speaking: nowMs % 1_000 === 0 }));
    expect(short.at(-1)).toEqual([4_000, 'renew']);
    const long = over(new AudioChooser(), 0, 60_000, (nowMs) => ({ speaking: nowMs % 4_000 < 1_000 }));
    expect(long).toEqual([[0, 'tracks chosen']]);
  });

  test('believes tracks that changed after a minute in the tab', () => {
    const chooser = new AudioChooser();
    over(chooser, 0, 10_000, () => ({}));
    const steps = over(chooser, 10_500, 120_000, (nowMs) => ({ loudAtMs: nowMs, offer: nowMs > 20_000 ? 'b' : 'a' }));
    expect(steps).toEqual([[69_500, 'tracks tried_again']]);
  });
});
