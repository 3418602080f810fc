import { describe, expect, test } from '@jest/globals';
import { TeamsCaptions } from './captions.ts';
import { captionsIn } from './main-channel.page.ts';

const message = (content: unknown): Uint8Array =>
  Uint8Array.from([0, 0, 0, 9, ...Buffer.from(JSON.stringify([content]))]);
const said = (text: string, more: object = {}) => ({ userId: '8:orgid:a', text, isFinal: false, ...more });

describe('captions of Teams', () => {
  test('are read from the channel that also names the dominant speaker', () => {
    const [result] = captionsIn(message({ recognitionResults: [said('hello', { timestampAudioSent: 5 })] }));
    expect(result).toEqual({ userId: '8:orgid:a', text: 'hello', isFinal: false, audioSentAt: 5, language: null });
    expect(captionsIn(message({ type: 'dsh', history: [1] }))).toEqual([]);
    expect(captionsIn(message({ recognitionResults: [null, { text: 1 }, 'x'] }))).toEqual([]);
    expect(captionsIn(Uint8Array.from(Buffer.from('[{"recognitionResults":')))).toEqual([]);
  });

  const keys = (results: readonly (readonly [string, number, boolean, number])[]) => {
    const captions = new TeamsCaptions();
    return results.map(([text, audioSentAt, isFinal, atMs]) => {
      const { key } = captions.apply({ userId: 'a', text, isFinal, audioSentAt, language: null }, atMs);
      return key;
    });
  };

  test('are one utterance until the final result, though the time of its audio changes', () => {
    expect(
      keys([
        ['we', 1, false, 0],
        ['we met', 2, false, 300],
        ['We met.', 2, true, 600],
        ['and', 9, false, 900],
      ]),
    ).toEqual(['a/1', 'a/1', 'a/1', 'a/2']);
  });

  test('are corrected after the final result by one of the same audio', () => {
    expect(
      keys([
        ['We mat.', 2, true, 0],
        ['We met.', 2, true, 800],
      ]),
    ).toEqual(['a/1', 'a/1']);
  });

  test('begin anew after 5 s where the final result never comes', () => {
    expect(
      keys([
        ['we met', 1, false, 0],
        ['good morning', 8, false, 5_100],
      ]),
    ).toEqual(['a/1', 'a/2']);
  });
});
