import { describe, expect, test } from '@jest/globals';
import { Voices } from './voices.ts';

describe('voices', () => {
  test('speak while they are heard and a moment after, loudest first', () => {
    const voices = new Voices();
    voices.hear(0, 30, 1000);
    voices.hear(1, 20, 1000);
    voices.hear(2, 127, 1000);
    expect(voices.speaking(1100)).toEqual([1, 0]);
    expect(voices.speaking(1300)).toEqual([]);
  });

  test('the dominant one stays through silence, and gives way to whoever is louder for a while', () => {
    const voices = new Voices();
    expect(voices.dominant(0)).toBeNull();
    voices.hear(0, 30, 1000);
    expect(voices.dominant(1000)).toBe(0);
    expect(voices.dominant(5000)).toBe(0);
    for (let at = 6000; at <= 6400; at += 20) {
      voices.hear(0, 30, at);
      voices.hear(1, 20, at);
      expect(voices.dominant(at)).toBe(at < 6300 ? 0 : 1);
    }
  });

  test('a dominant one who fell silent gives way at once', () => {
    const voices = new Voices();
    voices.hear(0, 30, 1000);
    voices.dominant(1000);
    voices.hear(1, 40, 2000);
    expect(voices.dominant(2000)).toBe(1);
  });
});
