import { describe, expect, test } from '@jest/globals';
import type { SessionSignal } from '@rapporteur/meeting-platforms';
import { shownName, storyEventOf } from './story-of-session.ts';

const hidden = '\u202eecilA\u2066\u200b\u0007';

describe('a name of a page', () => {
  test.each([
    [hidden, 'ecilA'],
    ['Ann\u200d\u2069e', 'Anne'],
    ['نمی\u200cخواهم 👩\u200d💻', 'نمی\u200cخواهم 👩\u200d💻'],
    ['\u200b\u2060\u202e', null],
    [null, null],
  ])('%j is kept as %j', (given, shown) => {
    expect(shownName(given)).toBe(shown);
  });

  test('is shown so in every event of the meeting; the text of a chat message stays', () => {
    const signals = [
      { kind: 'participant', change: 'appeared', atMs: 1, participant: { id: 'a', name: hidden } },
      { kind: 'speaker', change: 'started', turn: { turnId: 1, participantId: null, name: hidden } },
      { kind: 'chat', message: { id: 'm', senderId: null, senderName: hidden, text: hidden } },
    ] as unknown as readonly SessionSignal[];
    expect(signals.map(storyEventOf)).toMatchObject([
      { kind: 'participant', name: 'ecilA' },
      { kind: 'speaker', name: 'ecilA' },
      { kind: 'chat', senderName: 'ecilA', text: hidden },
    ]);
  });
});
