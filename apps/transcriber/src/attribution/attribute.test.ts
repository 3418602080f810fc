import { describe, expect, test } from '@jest/globals';
import type { Transcript } from '@rapporteur/speech-to-text';
import { attribute, readTimeline } from './attribute.ts';

/** An utterance of some words of 400 ms for each label, text and beginning. */
function transcriptOf(...said: [label: string | null, text: string, startMs: number][]): Transcript {
  const utterances = said.map(([speaker, text, startMs]) => {
    const words = text.split(' ').map((one, index) => {
      const wordMs = startMs + index * 400;
      return { text: one, startMs: wordMs, endMs: wordMs + 400, confidence: 0.9 };
    });
    const endMs = startMs + words.length * 400;
    return { text, startMs, endMs, confidence: 0.9, language: 'en', channel: 0, speaker, words };
  });
  return { durationMs: 20_000, billedMs: null, languages: ['en'], utterances, raw: null };
}

const timelineOf = (...lines: object[]) => readTimeline(lines.map((line) => JSON.stringify(line)).join('\n'));
const participants = [
  { id: 1, name: 'Alex Kim' },
  { id: 2, name: 'Alex Kim' },
  { id: 3, name: 'Room Aquarium' },
];

function speakersOf(transcript: Transcript, timeline: ReturnType<typeof timelineOf>) {
  return attribute([{ participant: null, transcript }], { timeline, participants }).map(
    ({ text, speaker, speakerId, speakerCandidates, speakerVoice }) => [
      text,
      speaker,
      speakerCandidates ?? speakerId,
      ...(speakerVoice === undefined ? [] : [speakerVoice]),
    ],
  );
}

describe('people of one name', () => {
  const said = transcriptOf([null, 'I am the first', 1_200], [null, 'I am the other', 5_200]);

  test('are distinguished by the ids of the diarization, within one utterance too', () => {
    const timeline = timelineOf(
      { speaker: 'Alex Kim', start_time: 1, end_time: 3, speaker_id: 1 },
      { speaker: 'Alex Kim', start_time: 5, end_time: 8, speaker_id: 2 },
    );
    expect(speakersOf(said, timeline)).toEqual([
      ['I am the first', 'Alex Kim', 1],
      ['I am the other', 'Alex Kim', 2],
    ]);
    const both = transcriptOf([null, 'one two three four', 2_200]);
    const turns = timelineOf(
      { speaker: 'Alex Kim', start_time: 1, end_time: 3, speaker_id: 1 },
      { speaker: 'Alex Kim', start_time: 3, end_time: 8, speaker_id: 2 },
    );
    expect(speakersOf(both, turns)).toEqual([
      ['one two', 'Alex Kim', 1],
      ['three four', 'Alex Kim', 2],
    ]);
  });

  test('are candidates where the platform does not distinguish them', () => {
    const line = { speaker: 'Alex Kim', start_time: 1, end_time: 8 };
    const known = timelineOf({ ...line, speaker_id: null, speaker_candidates: [1, 2] });
    expect(speakersOf(said, known).map(([, , who]) => who)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(speakersOf(said, timelineOf(line))).toEqual(speakersOf(said, known));
  });
});

describe('several voices at one microphone', () => {
  const morning: [string, string, number][] = [
    ['0', 'Good morning all', 1_000],
    ['1', 'Thanks for coming', 4_000],
    ['0', 'Let us begin', 7_000],
    ['2', 'I am remote', 11_000],
  ];
  const timeline = timelineOf(
    { speaker: 'Room Aquarium', start_time: 0.9, end_time: 9, speaker_id: 3 },
    { speaker: 'Alex Kim', start_time: 10.8, end_time: 13, speaker_id: 2 },
  );

  test('are numbered in the order of their first speech; a single voice is not', () => {
    expect(speakersOf(transcriptOf(...morning), timeline)).toEqual([
      ['Good morning all', 'Room Aquarium, voice 1', 3, 1],
      ['Thanks for coming', 'Room Aquarium, voice 2', 3, 2],
      ['Let us begin', 'Room Aquarium, voice 1', 3, 1],
      ['I am remote', 'Alex Kim', 2],
    ]);
  });

  test("are numbered in a participant's own audio, and a stray label is no voice", () => {
    const participant = { id: 3, name: 'Room Aquarium' };
    const own = (...said: [string, string, number][]) =>
      attribute([{ participant, transcript: transcriptOf(...said) }], { timeline: [], participants }).map(
        ({ speaker, speakerId, speakerVoice }) => [speaker, speakerId, speakerVoice],
      );
    expect(own(...morning.slice(0, 2))).toEqual([
      ['Room Aquarium, voice 1', 3, 1],
      ['Room Aquarium, voice 2', 3, 2],
    ]);
    const long = Array.from({ length: 40 }, (): string => 'word').join(' ');
    expect(own(['0', long, 0], ['1', 'mm', 17_000])).toEqual([
      ['Room Aquarium', 3, undefined],
      ['Room Aquarium', 3, undefined],
    ]);
  });

  test('of an unknown speaker keep their numbers', () => {
    expect(speakersOf(transcriptOf(...morning.slice(0, 2)), [])).toEqual([
      ['Good morning all', 'unknown', null, 1],
      ['Thanks for coming', 'unknown', null, 2],
    ]);
  });
});
