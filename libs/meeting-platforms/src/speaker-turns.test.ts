import { describe, expect, test } from '@jest/globals';
import { SpeakerTurns } from './speaker-turns.ts';
import type { VoiceChange, VoiceOwner } from './speaker-turns.ts';

const voice = (key: string, speaking: boolean, atMs: number): VoiceChange => ({
  source: 'contributing-sources',
  key,
  speaking,
  atMs,
});
const unknown: VoiceOwner = { personId: null, name: null, isSelf: false };

describe('SpeakerTurns', () => {
  test('names the person behind the voice, with full confidence', () => {
    const turns = new SpeakerTurns(() => ({ personId: 'p1', name: 'Alice', isSelf: false }));
    expect(turns.apply(voice('17', true, 100))).toMatchObject({
      change: 'started',
      turn: { turnId: 1, name: 'Alice', startMs: 100, endMs: null, confidence: 1 },
    });
    expect(turns.apply(voice('17', false, 900))).toMatchObject({
      change: 'stopped',
      turn: { turnId: 1, personId: 'p1', startMs: 100, endMs: 900 },
    });
  });

  test('an unknown voice is an answer, and gets its name when that is known by the end', () => {
    let owner = unknown;
    const turns = new SpeakerTurns(() => owner);
    expect(turns.apply(voice('17', true, 100))?.turn).toMatchObject({ personId: null, name: null, confidence: 0.3 });
    owner = { personId: 'p1', name: 'Alice', isSelf: false };
    expect(turns.apply(voice('17', false, 900))?.turn).toMatchObject({ personId: 'p1', name: 'Alice', confidence: 1 });
  });

  test("the bot's own voice is nobody's turn", () => {
    const turns = new SpeakerTurns(() => ({ personId: 'me', name: 'Bot', isSelf: true }));
    expect(turns.apply(voice('1', true, 0))).toBeNull();
    expect(turns.speaking()).toEqual([]);
    expect(turns.apply(voice('1', false, 500))).toBeNull();
  });

  test('two voices overlap as two turns; ending the visit ends both', () => {
    const turns = new SpeakerTurns((_source, key) => ({ personId: key, name: key, isSelf: false }));
    turns.apply(voice('a', true, 0));
    turns.apply(voice('b', true, 100));
    expect(turns.speaking().map((turn) => turn.name)).toEqual(['a', 'b']);
    expect(turns.endAll(700).map(({ turn }) => [turn.name, turn.startMs, turn.endMs])).toEqual([
      ['a', 0, 700],
      ['b', 100, 700],
    ]);
    expect(turns.speaking()).toEqual([]);
  });

  test('a start that is told twice, and an end without a start, change nothing', () => {
    const turns = new SpeakerTurns(() => unknown);
    expect(turns.apply(voice('a', false, 0))).toBeNull();
    turns.apply(voice('a', true, 10));
    expect(turns.apply(voice('a', true, 20))).toBeNull();
  });
});
