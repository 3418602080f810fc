import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { finalEventId } from './move-bot.ts';

test('the final event of a bot has one id, a valid one, and no other bot has it', () => {
  const [one, other] = ['3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11', '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b12'];
  expect(finalEventId(one as string)).toBe(finalEventId(one as string));
  expect(finalEventId(one as string)).not.toBe(finalEventId(other as string));
  for (let index = 0; index < 300; index += 1) expect(() => z.uuid().parse(finalEventId(`bot ${index}`))).not.toThrow();
});
