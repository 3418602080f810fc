import { describe, expect, test } from '@jest/globals';
import { beepOwners, planSchedule } from './schedule.ts';

const sentence = (text: string, durationMs: number) => ({
  text,
  durationMs,
  words: [{ word: text, startMs: 0, endMs: durationMs }],
});
const participants = [
  { name: 'Ann', sentences: [sentence('one', 3000), sentence('two', 2000)] },
  { name: 'Ben', sentences: [sentence('three', 2500)] },
];
const options = { loopSeconds: 12, firstSentenceAtMs: 500, overlap: false };

describe('the schedule', () => {
  test('lets people take turns and go through their sentences', () => {
    const schedule = planSchedule(participants, options);
    expect(schedule.map((entry) => `${entry.name}: ${entry.sentence}`)).toEqual(['Ann: one', 'Ben: three', 'Ann: two']);
  });

  test('leaves a gap between two sentences and ends before the loop does', () => {
    const schedule = planSchedule(participants, { ...options, loopSeconds: 60 });
    for (const [index, entry] of schedule.entries()) {
      const next = schedule[index + 1];
      if (next !== undefined) expect(next.startMs).toBeGreaterThanOrEqual(entry.endMs + 400);
    }
    expect(schedule.at(-1)?.endMs).toBeLessThanOrEqual(59_500);
    expect(schedule.length).toBeGreaterThan(10);
  });

  test('moves the word times to where the sentence is in the loop', () => {
    const [first] = planSchedule(participants, options);
    expect(first?.words).toEqual([{ word: 'one', startMs: 500, endMs: 3500 }]);
  });

  test('lets people interrupt each other when overlap is requested', () => {
    const [first, second] = planSchedule(participants, { ...options, overlap: true });
    expect(second?.startMs).toBeLessThan(first?.endMs ?? 0);
  });

  test('leaves people without sentences silent', () => {
    const schedule = planSchedule([{ name: 'Mute', sentences: [] }, ...participants], options);
    expect(schedule.map((entry) => entry.participantIndex)).toEqual([1, 2, 1]);
  });

  test('is empty when the first sentence is longer than the loop', () => {
    expect(planSchedule(participants, { ...options, loopSeconds: 3 })).toEqual([]);
  });
});

describe('the beep of a second', () => {
  test('is in the sound of who speaks then, else of person 0', () => {
    const schedule = planSchedule(participants, options);
    // Ann 500-3500, Ben 4000-6500, Ann 7300-9300
    expect(beepOwners(schedule, 12)).toEqual([0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0]);
  });
});
