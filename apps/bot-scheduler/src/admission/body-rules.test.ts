import { describe, expect, test } from '@jest/globals';
import { findUntypableMessage, findUntypableName, withLineFeeds } from './body-rules.ts';

describe('a name for a page', () => {
  test.each(['Rapporteur', 'Léa O’Neil', 'رابورتير\u200F', '議事録 ボット', '👩‍👧 notes', 'क्षि', 'Bot #1 – Team A/B'])(
    'may be %j',
    (name) => {
      expect(findUntypableName(name, 'bot_name')).toBeNull();
    },
  );

  test.each([
    ['a line feed', 'Note\ntaker', 'line break'],
    ['a carriage return', 'Note\rtaker', 'line break'],
    ['a line separator', 'Note\u2028taker', 'line break'],
    ['a next-line character', 'Note\u0085taker', 'control character'],
    ['a tab', 'Note\ttaker', 'control character'],
    ['an escape', 'Note\u001Btaker', 'control character'],
    ['a noncharacter', 'Note\uFFFFtaker', 'control character'],
    ['half a surrogate pair', 'Note\uD83Dtaker', 'control character'],
    ['an override of direction', 'Note\u202Etaker', 'direction'],
    ['an isolate', 'Note\u2067taker', 'direction'],
    ['spaces only', ' \u00A0\u3000', 'visible'],
    ['zero-width characters only', '\u200B\u2060\uFEFF\u200D', 'visible'],
    ['fillers only', '\u3164\u115F\u2800', 'visible'],
    ['variation selectors and marks only', '\uFE0F\u0301', 'visible'],
  ])('with %s is refused by its field', (_what, name, words) => {
    const failure = findUntypableName(name, 'bot_name');
    expect(failure).toMatchObject({ code: 'VALIDATION', details: 'bot_name' });
    expect(failure?.message).toContain(words);
  });
});

describe('a chat message', () => {
  test.each([null, '', 'Hello,\r\n\tthis call is recorded.\n', '録画中 🎥'])('may be %j', (message) => {
    expect(findUntypableMessage(message, 'entry_message')).toBeNull();
  });

  test.each(['a\u0000b', 'a\u0008b', 'a\u2029b', 'a\u202Db', '\u200B\n', '\uDC00'])('%j is refused', (message) => {
    expect(findUntypableMessage(message, 'message')?.details).toBe('message');
  });

  test('has one kind of line break', () => {
    expect(withLineFeeds('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
  });
});
