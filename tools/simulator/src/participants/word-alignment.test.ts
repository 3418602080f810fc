import { describe, expect, test } from '@jest/globals';
import { alignWords, parsePhonesOfWords, parseSegments } from './word-alignment.ts';

describe('reading flite', () => {
  test('gives each segment its start from the end of the one before', () => {
    expect(parseSegments('pau:0.2 g:0.3 uh:0.35 \n')).toEqual([
      { phone: 'pau', startMs: 0, endMs: 200 },
      { phone: 'g', startMs: 200, endMs: 300 },
      { phone: 'uh', startMs: 300, endMs: 350 },
    ]);
  });

  test('splits phones into words at the pauses', () => {
    expect(parsePhonesOfWords('pau g uh d pau m ao pau')).toEqual([
      ['g', 'uh', 'd'],
      ['m', 'ao'],
    ]);
  });
});

describe('aligning words', () => {
  test('gives a word the time from its first to its last phone, pauses left out', () => {
    const segments = parseSegments('pau:0.1 g:0.2 uh:0.3 d:0.4 pau:0.6 m:0.7 ao:0.9 pau:1.0');
    const words = alignWords(
      ['good', 'more'],
      [
        ['g', 'uh', 'd'],
        ['m', 'ao'],
      ],
      segments,
    );
    expect(words).toEqual([
      { word: 'good', startMs: 100, endMs: 400 },
      { word: 'more', startMs: 600, endMs: 900 },
    ]);
  });

  test('copes with a vowel that is reduced and a phone that is swallowed in running speech', () => {
    const segments = parseSegments('ax:0.1 b:0.2 ah:0.3 jh:0.4 t:0.5 ih:0.6 z:0.7');
    const words = alignWords(['a', 'budget', 'is'], [['ey'], ['b', 'ah', 'jh', 'ax', 't'], ['ih', 'z']], segments);
    expect(words.map((word) => [word.startMs, word.endMs])).toEqual([
      [0, 100],
      [100, 500],
      [500, 700],
    ]);
  });

  test('refuses a word that left no audio', () => {
    expect(() => alignWords(['a', 'b'], [['ey'], []], parseSegments('ey:0.1'))).toThrow('has no sound');
  });
});
