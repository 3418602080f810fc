import { describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../platform.ts';
import { splitMessage, OwnMessages } from './chat-panel.ts';

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

const message = (text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: crypto.randomUUID(),
  senderId: null,
  senderName: '',
  text,
  sentAtMs: 0,
  own: false,
  ...more,
});
const knows = (id: string): boolean => id === 'alice';

describe('OwnMessages', () => {
  test('a message that the page shows as own proves that it was sent, once', () => {
    const messages = new OwnMessages();
    const [first, second] = [messages.expect('Hello  there '), messages.expect('Hello there')];
    messages.recognize(message('Hello there', { own: true }), knows);
    expect([first.shown, second.shown]).toEqual([true, false]);
  });

  test('the same text of another sender stays theirs', () => {
    const messages = new OwnMessages();
    const hello = messages.expect('Hello');
    expect(messages.recognize(message('Hello', { senderId: 'alice' }), knows).own).toBe(false);
    expect(messages.recognize(message('Hello', { senderName: 'Bruno' }), knows).own).toBe(false);
    expect(hello.shown).toBe(false);
  });

  test('a text that the bot just sent, from an unknown sender, is its own', () => {
    const messages = new OwnMessages();
    const hello = messages.expect('Hello');
    expect(messages.recognize(message('Hello', { senderId: 'not yet known' }), knows).own).toBe(true);
    expect(hello.shown).toBe(true);
    expect(messages.recognize(message('Hello', { senderId: 'not yet known' }), knows).own).toBe(false);
  });
});
