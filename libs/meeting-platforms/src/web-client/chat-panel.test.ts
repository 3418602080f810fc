import { describe, expect, test } from '@jest/globals';
import { splitMessage } from './chat-panel.ts';

describe('splitMessage', () => {
  test('leaves a text that fits as it is', () => {
    expect(splitMessage(' Hello there ', 500)).toEqual(['Hello there']);
  });

  test('cuts at spaces and line ends, loses no word, keeps to the limit', () => {
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
    const parts = splitMessage(words, 500);
    expect(parts.every((part) => part.length <= 500)).toBe(true);
    expect(parts.join(' ')).toBe(words);
  });

  test('cuts a text without spaces, but never a character in two', () => {
    const parts = splitMessage('😀'.repeat(20), 15);
    expect(parts.join('')).toBe('😀'.repeat(20));
    expect(parts.every((part) => part.length <= 15 && !/[\ud800-\udbff]$/.test(part))).toBe(true);
  });

  test('an empty text is no message', () => {
    expect(splitMessage('  ', 500)).toEqual([]);
  });
});
