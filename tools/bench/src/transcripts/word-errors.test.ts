import { describe, expect, test } from '@jest/globals';
import { editDistance, findLoopOffset, quietEnds, speakerWordErrors, wordErrors, wordsBetween } from './word-errors.ts';
import type { PlacedWord } from './word-errors.ts';

const loopMs = 10_000;
const loop: PlacedWord[] = ['one', 'two', 'three', 'four', 'five'].map((text, index) => ({
  text,
  startMs: 1_000 + index * 1_500,
  endMs: 1_400 + index * 1_500,
  speaker: index < 3 ? 'Ann' : 'Ben',
}));

describe('word errors', () => {
  test('count words that are changed, left out and added', () => {
    expect(editDistance(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe(1);
    expect(editDistance(['a', 'b', 'c'], ['a', 'c'])).toBe(1);
    expect(editDistance([], ['a', 'b'])).toBe(2);
  });

  test('do not regard case, punctuation and speakers, and those of speakers do', () => {
    const recognized = loop.map((word) => ({ ...word, text: `${word.text.toUpperCase()}.` }));
    expect(wordErrors(loop, recognized).rate).toBe(0);
    expect(speakerWordErrors(loop, recognized).rate).toBe(0);
    const [first, ...rest] = recognized;
    const wrong = [{ ...first!, speaker: 'Ben' }, ...rest];
    expect(wordErrors(loop, wrong).errors).toBe(0);
    expect(speakerWordErrors(loop, wrong).errors).toBe(2);
  });

  test('compare with what was spoken in the recording, wherever in the loop it begins', () => {
    const said = wordsBetween(loop, { offsetMs: 4_000, loopMs, fromMs: 0, toMs: 15_000 });
    expect(said.map(({ text }) => text)).toEqual(['three', 'four', 'five', 'one', 'two', 'three', 'four', 'five']);
    expect(findLoopOffset(loop, said, loopMs)).toBe(4_000);
    expect(findLoopOffset(loop, [], loopMs)).toBeNull();
  });

  test('are counted from silence to silence, where no word is on both sides', () => {
    expect(quietEnds(loop)).toEqual({ fromMs: 1_950, toMs: 6_450 });
    expect(quietEnds(loop.slice(0, 2))).toBeNull();
  });
});
