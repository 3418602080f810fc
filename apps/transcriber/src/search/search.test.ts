import { describe, expect, test } from '@jest/globals';
import { longestTurnMs } from '@rapporteur/testbed';
import { hitOf, readSearchQuery } from './search-query.ts';
import type { SearchQuery } from './search-query.ts';
import { tokensOf } from './tokens.ts';
import { indexOf } from './words.store.ts';

const words = (text: string): string[] => tokensOf(text).map(({ word }) => word);

describe('the words of a text', () => {
  test.each([
    ["We DON'T agree: 3.5 %!", ['we', 'don', 't', 'agree', '3', '5']],
    ['Café Müller Ångström Ωμέγα', ['cafe', 'muller', 'angstrom', 'ωμεγα']],
    ['東京タワーで会議', ['東京', '京タ', 'タワ', 'ワー', 'ーで', 'で会', '会議']],
    ['好 OK好的', ['好', 'ok', '好的']],
    ['ประชุม', ['ปร', 'ระ', 'ะช', 'ชุ', 'ุม']],
    ['회의록을', ['회의', '의록', '록을']],
    ['יום טוב مرحبا नमस्ते', ['יום', 'טוב', 'مرحبا', 'नमस्ते']],
    ['ｆｕｌｌ 𠮷野家', ['full', '𠮷野', '野家']],
    ['… — !', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('are found in long texts without a space', () => {
    expect(tokensOf('会'.repeat(200_000))).toHaveLength(199_999);
    expect(tokensOf('e\u0301'.repeat(200_000))).toHaveLength(1);
  });
});

describe('the index of a transcript', () => {
  const sentence = 'und dann haben wir das Budget für das dritte Quartal besprochen, it was fine';
  const utterances = Array.from({ length: 4_000 }, (_unused, index) => ({
    text: `${sentence} ${index}`,
    startMs: index * 3_600,
    endMs: index * 3_600 + 3_000,
    speaker: 'Ann',
    speakerId: 1,
    speakerConfidence: null,
    confidence: null,
    language: null,
    channel: 0,
    words: [],
  }));

  test('of four hours leaves turns for other work at least every 20 ms', async () => {
    expect(await longestTurnMs(() => indexOf(utterances), 20)).toBeLessThan(20);
    const { rows, words: distinct } = await indexOf(utterances);
    expect(rows).toHaveLength(4_000);
    expect(rows[7]).toMatchObject({ number: 7, part: 0, start_ms: 25_200, text: `${sentence} 7` });
    expect([...distinct].slice(0, 3)).toEqual(['und', 'dann', 'haben']);
    expect(distinct.size).toBe(4_013);
  });
});

const query = (text: string): SearchQuery => {
  const read = readSearchQuery(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
};

describe('a search', () => {
  test('marks the words in the text as it was said', () => {
    const text = 'The next quarter is what I want to see, not the budget of last quarter.';
    const hit = hitOf([1_000, 1_900, 'Ben', 2, text], query('budget quarter').wanted);
    expect(hit.snippet.map(({ text, match }) => (match ? `[${text}]` : text)).join('')).toBe(
      'The next [quarter] is what I want to see, not the [budget] of last [quarter].',
    );
    const long = [0, 1, 'Ann', 1, `${'word '.repeat(100)}budget${' word'.repeat(100)}`] as const;
    const shown = hitOf(long, query('budget').wanted)
      .snippet.map(({ text }) => text)
      .join('');
    expect(shown.length).toBeLessThan(260);
    expect(shown).toMatch(/^… word .*word budget word .* …$/);
  });

  test.each([
    ['-budget', /at least one word/],
    ['"…"', /at least one word/],
    [Array.from({ length: 33 }, (_, index) => `w${index}`).join(' '), /at most 32 words/],
  ])('%s is none', (text, problem) => {
    expect(readSearchQuery(text)).toMatch(problem);
  });
});
