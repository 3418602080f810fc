import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { fieldName, readInput } from './read-input.ts';

test.each([
  [[], 'body'],
  [['bot_name'], 'bot_name'],
  [['zoom_config', 'credential_id'], 'zoom_config.credential_id'],
  [['transcription', 'languages', 2], 'transcription.languages[2]'],
  [['items', '0', 'a/b'], 'items[0].a/b'],
  [[1], '[1]'],
])('the field of %j is %s', (members, name) => {
  expect(fieldName(members)).toBe(name);
});

test('a body that does not fit is refused with the name of its field, as message and as details', () => {
  const shape = z.object({ languages: z.array(z.string()) });
  const refusal = {
    code: 'VALIDATION',
    details: 'languages[1]',
    message: expect.stringMatching(/^languages\[1\]: .+\.$/),
  };
  expect(() => readInput(shape, { languages: ['en', 7] })).toThrow(expect.objectContaining(refusal));
});
