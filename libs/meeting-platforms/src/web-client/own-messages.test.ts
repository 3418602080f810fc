import { describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../platform.ts';
import { OwnMessages } from './own-messages.ts';

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
