import { describe, expect, test } from '@jest/globals';
import { messageIdOf, randomMessageId } from './message-id.ts';

describe('a message id', () => {
  test('is the same for the same happening, today and in every later build', () => {
    const id = messageIdOf('3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11', 'bot.status_change', 4);
    expect(id).toBe('msg_e7bbcfqesemez64afxvqg6yqlj');
  });

  test('differs by bot, by event and by sequence', () => {
    const ids = ['bot-1', 'bot-2'].flatMap((bot) =>
      (['bot.status_change', 'bot.completed', 'bot.failed'] as const).flatMap((event) =>
        [0, 1, 11].map((sequence) => messageIdOf(bot, event, sequence)),
      ),
    );
    expect(new Set(ids).size).toBe(18);
  });

  test('of a test message is new every time', () => {
    expect(randomMessageId()).toMatch(/^msg_[a-z2-7]{26}$/);
    expect(randomMessageId()).not.toBe(randomMessageId());
  });
});
