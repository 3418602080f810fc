import { describe, expect, test } from '@jest/globals';
import { captionOptionsSchema } from './caption-options.ts';
import { planCaption, RoomCaptions } from './room-captions.ts';

const sentence = {
  participantIndex: 1,
  name: 'Bruno',
  voice: 0,
  sentence: 'The new server is ready.',
  startMs: 1_000,
  endMs: 2_000,
  words: ['the', 'new', 'server', 'is', 'ready'].map((word, index) => ({
    word,
    startMs: 1_000 + index * 200,
    endMs: 1_200 + index * 200,
  })),
};
const options = (given: object = {}) => captionOptionsSchema.parse(given);
const texts = (given: object, index = 1) =>
  planCaption(sentence, index, options(given)).map(({ text, final }) => [text, final]);

describe('the captions of a sentence', () => {
  test('grow word by word, with a word that is corrected by the next, and end with punctuation', () => {
    expect(texts({})).toEqual([
      ['the', false],
      ['the newm', false],
      ['the new server', false],
      ['the new server is', false],
      ['the new server is ready', false],
      ['The new server is ready.', true],
    ]);
  });

  test('are corrected after the final version in every third sentence', () => {
    expect(texts({}, 3).slice(-2)).toEqual([
      ['The what server is ready.', true],
      ['The new server is ready.', true],
    ]);
    expect(texts({ corrections: false }, 3).filter(([, final]) => final)).toHaveLength(1);
  });

  test('may have a late final version, or none', () => {
    const dueOf = (given: object) => planCaption(sentence, 1, options(given)).findLast(({ final }) => final)?.dueMs;
    expect(dueOf({ delayMs: 0 })).toBe(2_300);
    expect(dueOf({ delayMs: 0, finals: 'late' })).toBe(5_000);
    expect(dueOf({ finals: 'missing' })).toBeUndefined();
  });

  test('are in the language of their participant', () => {
    expect(planCaption(sentence, 1, options({ languages: ['en-US', 'de-DE'] }))[0]?.language).toBe('de-DE');
  });
});

test('each version is sent once, over the end of the loop too, and nothing from before captions were on', () => {
  const captions = new RoomCaptions(
    [sentence],
    2_500,
    options({ corrections: false, finals: 'late', delayMs: 0 }),
    1_500,
  );
  const sent: [number, number][] = [];
  for (let nowMs = 1_600; nowMs <= 5_000; nowMs += 100) {
    for (const { captionId, version } of captions.next(nowMs)) sent.push([captionId, version]);
  }
  expect(sent).toEqual([
    [1, 3],
    [1, 4],
    [1, 5],
    [2, 1],
    [2, 2],
    [2, 3],
    [2, 4],
    [2, 5],
    [1, 6],
  ]);
});
