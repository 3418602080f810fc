import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from '@jest/globals';
import {
  endOfSilence,
  joinedAcross,
  parseLosses,
  textOfTranscript,
  entryAt,
  parseChat,
  parseDiarization,
  parseTranscript,
  speakerRows,
  speakersOf,
} from './artifact-documents.ts';
import { Transcript } from './transcript.tsx';

describe('the documents of a recording', () => {
  test('give two speakers of one name a row each, and one speaker a row whatever the name was', () => {
    const line = (speaker: string, speaker_id: number | null, start_time: number) =>
      JSON.stringify({ speaker, speaker_id, start_time, end_time: start_time + 1 });
    const spans = parseDiarization(
      [line('Al', 1, 0), line('Al', 2, 1), line('Al K.', 1, 2), line('Al', null, 3)].join('\n'),
    );
    expect(speakerRows(spans).map(({ speakerId, seconds }) => [speakerId, seconds])).toEqual([
      [1, 2],
      [2, 1],
      [null, 1],
    ]);
  });

  test('give speakers with their spans, in the order in which they spoke first', () => {
    const spans = parseDiarization(
      '{"speaker":"Bruno","start_time":0,"end_time":4.5}\n{"speaker":"Alice","start_time":5,"end_time":6}\n' +
        '{"speaker":"Bruno","start_time":7,"end_time":8}\n',
    );
    expect(speakerRows(spans).map(({ speaker, seconds, spans: own }) => [speaker, seconds, own.length])).toEqual([
      ['Bruno', 5.5, 2],
      ['Alice', 1, 1],
    ]);
  });

  test('give what was spoken, by whom and when', () => {
    const text = JSON.stringify({
      result: {
        utterances: [
          {
            text: 'Hello there.',
            start: 1,
            end: 2,
            speaker: 'Alice',
            words: [{ word: ' there.', start: 1.5 }, { word: 'Hello', start: 1 }, { word: 'x' }, null],
          },
          { text: 'Who is this?', start: 3, end: 4, speaker: null },
        ],
      },
    });
    expect(parseTranscript(text)).toEqual([
      {
        text: 'Hello there.',
        start: 1,
        end: 2,
        speaker: 'Alice',
        speakerId: null,
        originalSpeaker: null,
        words: [
          { text: 'Hello', start: 1 },
          { text: 'there.', start: 1.5 },
        ],
      },
      {
        text: 'Who is this?',
        start: 3,
        end: 4,
        speaker: 'Unknown speaker',
        speakerId: null,
        originalSpeaker: null,
        words: [],
      },
    ]);
  });

  test('give the chat', () => {
    const text = '[{"message_id":"m1","sender_name":"Alice","text":"Hi","timestamp":"2026-11-23T08:56:39.219Z"}]';
    expect(parseChat(text)).toEqual([{ id: 'm1', sender: 'Alice', text: 'Hi', sentAt: '2026-11-23T08:56:39.219Z' }]);
  });

  test.each([
    '',
    'null',
    '{',
    '[]',
    '{"result":7}',
    '{"result":{"utterances":[null,{"text":1}]}}',
    '7\n{"start_time":"1"}',
  ])('that hold something else, %j, are empty', (text) => {
    expect([parseTranscript(text), parseDiarization(text)]).toEqual([[], []]);
  });

  test('with spans that end before they begin, dates that are none and texts of another type lose these entries', () => {
    expect(parseDiarization('{"speaker":"A","start_time":5,"end_time":4}')).toEqual([]);
    expect(parseChat('[{"text":"Hi","timestamp":"yesterday"},{"text":{}}]')).toEqual([
      { id: '0', sender: 'Unknown sender', text: 'Hi', sentAt: null },
    ]);
  });
});

describe('the entry of a second', () => {
  const entries = [0, 5, 9].map((start) => ({ start }));

  test.each([
    [-1, -1],
    [0, 0],
    [4.9, 0],
    [5, 1],
    // As Chromium's player has it, set to 5.
    [4.999999, 1],
    [100, 2],
  ])('%d is number %d', (second, index) => {
    expect(entryAt(entries, second)).toBe(index);
  });
});

describe('what a recording lacks', () => {
  test('is read from its integrity report, in seconds', () => {
    const report = { gaps: [{ startMs: 10_000, endMs: 39_000, reason: 'page_lost' }, { startMs: 5, endMs: 5 }, 7] };
    expect(parseLosses(JSON.stringify(report))).toEqual({ gaps: [{ start: 10, end: 39 }], video: [] });
    expect(parseLosses('{')).toEqual({ gaps: [], video: [] });
  });

  test('does not let a participant leave where only the bot was away', () => {
    const present = [
      { start: 0, end: 34 },
      { start: 62, end: 64 },
      { start: 90, end: 95 },
    ];
    expect(joinedAcross(present, [{ start: 34.2, end: 60 }])).toEqual([
      { start: 0, end: 64 },
      { start: 90, end: 95 },
    ]);
    expect(joinedAcross(present, [{ start: 40, end: 60 }])).toEqual(present);
    expect(joinedAcross(present, [])).toEqual(present);
  });
});

test('silence ends half a second before the next speech', () => {
  const spans = [
    { start: 5, end: 8 },
    { start: 30, end: 40 },
  ];
  expect([0, 5, 8.5, 12, 28.5, 39, 60].map((second) => endOfSilence(spans, second))).toEqual([
    4.5,
    null,
    null,
    29.5,
    null,
    null,
    null,
  ]);
});

test('speakers of a transcript are listed once each, also two of one name, and a renamed one with its name in the meeting', () => {
  const said = (speaker: string, speaker_id: number | null, original_speaker: string | null = null) => ({
    speaker,
    speaker_id,
    original_speaker,
    text: 'Yes.',
    start: 0,
    end: 1,
  });
  const text = [said('Sam', 1), said('Uma', 2, 'Sam'), said('Sam', 1), said('Ben', 3), said('Eve', 4, 'Room, voice 2')];
  expect(speakersOf(parseTranscript(JSON.stringify({ result: { utterances: text } })))).toEqual([
    { name: 'Sam', speakerId: 1, label: 'Sam, participant 1' },
    { name: 'Sam', speakerId: 2, label: 'Uma (in the meeting: Sam), participant 2' },
    { name: 'Ben', speakerId: 3, label: 'Ben' },
    { name: 'Room, voice 2', speakerId: 4, label: 'Eve (in the meeting: Room, voice 2)' },
  ]);
});

test('a transcript is text with the time and the speaker of each line', () => {
  const line = { start: 65, end: 66, words: [] };
  expect(textOfTranscript([{ ...line, speaker: 'Ada', text: 'Good morning.' }])).toBe('[1:05] Ada: Good morning.\n');
});

test('marks the line and the word of everyone who speaks at a second', () => {
  const words = ['one', 'two', 'three'].map((text, index) => ({ text, start: index, end: index + 1 }));
  const line = (speaker: string, start: number, end: number) => ({
    speakerId: null,
    speaker,
    start,
    end,
    text: 'one two three',
    words: words.map((word) => ({ ...word, start: word.start + start, end: word.end + start })),
  });
  const utterances = [line('Ann', 0, 3), line('Ben', 1, 4), line('Chen', 5, 8)];
  const marked = (second: number) => {
    const page = renderToStaticMarkup(createElement(Transcript, { utterances, second, onSeek: () => undefined }));
    const found = [...page.matchAll(/current-word">(\w+)/g)].map(([, word]) => word);
    return [page.match(/aria-current/g)?.length, ...found];
  };
  expect(marked(2)).toEqual([2, 'three', 'two']);
  expect(marked(3.5)).toEqual([1, 'three']);
  expect(marked(4.5)).toEqual([1, 'three']);
  expect(marked(6)).toEqual([1, 'two']);
});
