import { describe, expect, test } from '@jest/globals';
import { alignEnvelope, binMs, envelopeOf, audibleWords, recognizeSpeech, speechRateHz } from './room-speech.ts';
import type { RoomSpeech } from './room-speech.ts';

/** Irregular words, so that every position in the loop is unique. */
function roomOf(seed: number, name: string): RoomSpeech {
  const words: { word: string; startMs: number; endMs: number }[] = [];
  let state = seed;
  const next = (most: number): number => (state = (state * 1_103 + 12_345) % 65_521) % most;
  for (let atMs = 400; atMs < 18_000;) {
    const endMs = atMs + 160 + next(320);
    words.push({ word: `${name}${words.length}`, startMs: atMs, endMs });
    atMs = endMs + (next(4) === 0 ? 800 : 80);
  }
  const endMs = words.at(-1)?.endMs ?? 0;
  return {
    loopMs: 20_000,
    schedule: [{ participantIndex: 0, name, voice: 0, sentence: '', startMs: 400, endMs, words }],
  };
}

/** The audio of a room's loop from this time on: a tone for each word, and a beep each second. */
function audioOf({ loopMs, schedule }: RoomSpeech, fromMs: number, lengthMs: number): Buffer {
  const pcm = Buffer.alloc((lengthMs * speechRateHz * 2) / 1_000);
  for (let index = 0; index < pcm.byteLength / 2; index += 1) {
    const atMs = (index * 1_000) / speechRateHz;
    const inLoop = (atMs + fromMs) % loopMs;
    const isWord = schedule.some(({ words }) => words.some((word) => inLoop >= word.startMs && inLoop < word.endMs));
    const isBeep = (atMs + fromMs) % 1_000 < 60;
    const speech = isWord ? 4_000 * Math.sin((2 * Math.PI * 220 * atMs) / 1_000) : 0;
    const beep = isBeep ? 8_000 * Math.sin((2 * Math.PI * 1_000 * atMs) / 1_000) : 0;
    pcm.writeInt16LE(Math.round(speech + beep), index * 2);
  }
  return pcm;
}

const room = roomOf(7, 'Ann');
const other = roomOf(99, 'Ben');

describe('the speech of a simulated room', () => {
  test('has the language of who speaks', () => {
    const [sentence] = room.schedule;
    if (sentence === undefined) throw new Error('The room has no sentence.');
    const inGerman = { ...room, schedule: [{ ...sentence, language: 'de' }] };
    const found = recognizeSpeech(audioOf(inGerman, 0, 12_000), [inGerman]);
    expect(new Set(found?.words.map(({ language }) => language))).toEqual(new Set(['de']));
  });

  test('is found in the audio, wherever it begins, with the right words at the right time', () => {
    const truth = recognizeSpeech(audioOf(room, 7_300, 15_000), [other, room]);
    const [first] = truth?.words ?? [];
    const said = room.schedule[0]?.words.find(({ startMs }) => startMs >= 7_300);
    expect(first).toMatchObject({ text: said?.word, speaker: '0/0' });
    expect(Math.abs((first?.startMs ?? 0) - ((said?.startMs ?? 0) - 7_300))).toBeLessThanOrEqual(binMs);
  });

  test('is not found in the audio of another one', () => {
    expect(alignEnvelope(envelopeOf(audioOf(roomOf(31, 'Cid'), 0, 15_000)), [other, room])).toBeNull();
  });

  test('has no words without speech, and beeps have no speaker', () => {
    const silent = { ...room, schedule: [] };
    expect(recognizeSpeech(audioOf(silent, 0, 3_000), [room])).toEqual({ durationMs: 3_000, words: [] });
    const envelope = envelopeOf(audioOf(room, 0, 15_000));
    const quiet = envelope.map((isSpeech, bin) => isSpeech && bin * binMs < 5_000);
    const words = audibleWords(quiet, { speech: room, offsetMs: 0, score: 1 });
    expect(words.length).toBeGreaterThan(5);
    for (const { endMs } of words) expect(endMs).toBeLessThan(5_500);
  });
});
