import { describe, expect, test } from '@jest/globals';
import { SpeechActivity } from './speech-activity.ts';

describe('speech activity', () => {
  test('speak during speech and a moment after, loudest first', () => {
    const speechActivity = new SpeechActivity();
    speechActivity.add(0, 30, 1000);
    speechActivity.add(1, 20, 1000);
    speechActivity.add(2, 127, 1000);
    expect(speechActivity.speaking(1100)).toEqual([1, 0]);
    expect(speechActivity.speaking(1300)).toEqual([]);
  });

  test('the dominant one stays through silence, and is replaced by a participant who is louder for a time', () => {
    const speechActivity = new SpeechActivity();
    expect(speechActivity.dominant(0)).toBeNull();
    speechActivity.add(0, 30, 1000);
    expect(speechActivity.dominant(1000)).toBe(0);
    expect(speechActivity.dominant(5000)).toBe(0);
    for (let at = 6000; at <= 6400; at += 20) {
      speechActivity.add(0, 30, at);
      speechActivity.add(1, 20, at);
      expect(speechActivity.dominant(at)).toBe(at < 6300 ? 0 : 1);
    }
  });

  test('a dominant one who fell silent is replaced at once', () => {
    const speechActivity = new SpeechActivity();
    speechActivity.add(0, 30, 1000);
    speechActivity.dominant(1000);
    speechActivity.add(1, 40, 2000);
    expect(speechActivity.dominant(2000)).toBe(1);
  });
});
