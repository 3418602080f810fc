import { describe, expect, test } from '@jest/globals';
import type { StoryEvent } from './story-event.ts';
import { participantEntries } from './participants-artifact.ts';
import { listParticipantsOver } from './participant-list.ts';

type ParticipantEvent = Extract<StoryEvent, { kind: 'participant' }>;
const participant = (
  participantId: string,
  name: string,
  atMs: number,
  change: ParticipantEvent['change'] = 'appeared',
): ParticipantEvent => ({
  kind: 'participant',
  change,
  atMs,
  participantId,
  name,
  avatarUrl: null,
  isSelf: participantId === 'me',
});
const spoke = (participantId: string): StoryEvent => ({
  kind: 'speaker',
  change: 'stopped',
  turnId: 1,
  participantId,
  name: null,
  startMs: 3_000,
  endMs: 4_000,
  source: 'test',
  confidence: 1,
});
const attempt = (endsAtMs: number, ...events: StoryEvent[]) => ({ events, endsAtMs });
/** A recording that began at 1 s and lasts 20 s. */
const mediaMsOf = (epochMs: number): number => Math.min(Math.max(0, epochMs - 1_000), 20_000);
const entries = (...attempts: ReturnType<typeof attempt>[]) =>
  participantEntries(attempts, listParticipantsOver(attempts), mediaMsOf).map(({ id, name, spoke: said, present }) => [
    id,
    name,
    said,
    ...present.map((one) => [one.start_time, one.end_time]),
  ]);

describe('the list of participants', () => {
  test('says who was there when, who spoke, and leaves out the bot', () => {
    expect(
      entries(
        attempt(
          21_000,
          participant('me', 'Rapporteur', 0),
          participant('a', 'Alice', 500),
          participant('b', 'Bruno', 3_500),
          spoke('a'),
          participant('a', 'Alice', 4_000, 'changed'),
          participant('b', 'Bruno', 6_250, 'left'),
        ),
      ),
    ).toEqual([
      [1, 'Alice', true, [0, 20]],
      [2, 'Bruno', false, [2.5, 5.25]],
    ]);
  });

  test('knows who comes back, also in another attempt, and joins what touches', () => {
    expect(
      entries(
        attempt(
          11_000,
          participant('a', 'Alice', 1_000),
          participant('a', 'Alice', 3_000, 'left'),
          participant('a2', 'Alice', 5_000),
          participant('b', 'Bruno', 2_000),
        ),
        attempt(21_000, participant('a3', 'Alice', 11_000), participant('a3', 'Alice', 12_000, 'left')),
      ),
    ).toEqual([
      [1, 'Alice', false, [0, 2], [4, 11]],
      [2, 'Bruno', false, [1, 10]],
    ]);
  });

  test('keeps who was gone before the recording began, without any time', () => {
    expect(
      entries(
        attempt(
          21_000,
          participant('a', 'Alice', 100),
          participant('a', 'Alice', 900, 'left'),
          participant('b', 'Bruno', 900),
        ),
      ),
    ).toEqual([
      [1, 'Alice', false],
      [2, 'Bruno', false, [0, 20]],
    ]);
  });
});
