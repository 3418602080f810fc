import { expect, test } from '@jest/globals';
import { artifactLinks, linkedArtifacts, platformNames } from '@rapporteur/contracts';
import { withLists } from './generate.ts';

test('a list is expanded in an array, in a pattern and as properties', () => {
  const schema = {
    required: ['id', 'each:artifactLinks'],
    properties: { id: { enum: ['each:platforms', null] }, 'each:artifactLinks': { type: 'string' } },
    pattern: '^(each:platforms)$',
  };
  expect(withLists(schema)).toEqual({
    required: ['id', ...linkedArtifacts],
    properties: {
      id: { enum: [...platformNames, null] },
      ...Object.fromEntries(
        linkedArtifacts.map((kind) => [kind, { type: 'string', description: artifactLinks[kind].description }]),
      ),
    },
    pattern: `^(${platformNames.join('|')})$`,
  });
});

test('a list that does not exist is refused', () => {
  expect(() => withLists({ enum: ['each:planets'] })).toThrow('each:planets, which is no list');
});
