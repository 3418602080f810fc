import { describe, expect, test } from '@jest/globals';
import { SpeakerTurns } from './speaker-turns.ts';
import type { SpeechChange, SpeechOwner } from './speaker-turns.ts';

const speech = (key: string, speaking: boolean, atMs: number): SpeechChange => ({
  source: 'contributing-sources',
  key,
  speaking,
  atMs,
});
const unknown: SpeechOwner = { participantId: null, name: null, isSelf: false };

describe('SpeakerTurns', () => {
  test('names the person behind the voice, with full confidence', () => {
    const turns = new SpeakerTurns(() => ({ participantId: 'p1', name: 'Alice', isSelf: false }));
    expect(turns.apply(speech('17', true, 100))).toMatchObject({
      change: 'started',
      turn: { turnId: 1, name: 'Alice', startMs: 100, endMs: null, confidence: 1 },
    });
    expect(turns.apply(speech('17', false, 900))).toMatchObject({
      change: 'stopped',
      turn: { turnId: 1, participantId: 'p1', startMs: 100, endMs: 900 },
    });
  });

  test('an unknown voice is an answer, and gets its name when that is known by the end', () => {
    let owner = unknown;
    const turns = new SpeakerTurns(() => owner);
    expect(turns.apply(speech('17', true, 100))?.turn).toMatchObject({
      participantId: null,
      name: null,
      confidence: 0.3,
    });
    owner = { participantId: 'p1', name: 'Alice', isSelf: false };
    expect(turns.apply(speech('17', false, 900))?.turn).toMatchObject({
      participantId: 'p1',
      name: 'Alice',
      confidence: 1,
    });
  });

  test("the bot's own speech is no turn", () => {
    const turns = new SpeakerTurns(() => ({ participantId: 'me', name: 'Bot', isSelf: true }));
    expect(turns.apply(speech('1', true, 0))).toBeNull();
    expect(turns.speaking()).toEqual([]);
    expect(turns.apply(speech('1', false, 500))).toBeNull();
  });

  test('two voices overlap as two turns; ending the visit ends both', () => {
    const turns = new SpeakerTurns((_source, key) => ({ participantId: key, name: key, isSelf: false }));
    turns.apply(speech('a', true, 0));
    turns.apply(speech('b', true, 100));
    expect(turns.speaking().map((turn) => turn.name)).toEqual(['a', 'b']);
    expect(turns.endAll(700).map(({ turn }) => [turn.name, turn.startMs, turn.endMs])).toEqual([
      ['a', 0, 700],
      ['b', 100, 700],
    ]);
    expect(turns.speaking()).toEqual([]);
  });

  test('a start that is reported twice, and an end without a start, change nothing', () => {
    const turns = new SpeakerTurns(() => unknown);
    expect(turns.apply(speech('a', false, 0))).toBeNull();
    turns.apply(speech('a', true, 10));
    expect(turns.apply(speech('a', true, 20))).toBeNull();
  });
});
