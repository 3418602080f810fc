import { describe, expect, test } from '@jest/globals';
import { findRefusedWords } from './vocabulary.ts';

const problemsOf = (path: string, text = ''): string[] => findRefusedWords({ paths: [path], read: () => text });

describe('the vocabulary check', () => {
  test.each([
    ['apps/x/src/picture-turns.ts', '', 'video, frame or image'],
    ['apps/x/src/growing-file/a.ts', '// a growing file', 'multipart upload'],
    ['apps/x/src/a.ts', 'const lastVoices = 1;', 'speech'],
    ['apps/x/src/a.ts', 'row.next_rings_at', 'notify'],
    ['apps/x/src/a.ts', 'class PersonList {}', 'participant'],
    ['apps/x/src/a.ts', '/** Whether the\n * way back is open. */', 'rejoin'],
    ['apps/x/src/a.ts', 'const text = `${ personName }`;', 'participant'],
    ['apps/x/src/a.ts', "throw new Error('Nobody waits');", 'participant, user'],
    ['libs/contracts/openapi/a.yaml', 'description: What somebody said.', 'participant, user'],
    ['docs/a.md', 'The doorbell of the runner.', 'notification'],
    ['apps/x/src/a.ts', 'const lastHeardAtMs = 1;', 'receive'],
    ['apps/x/src/a.ts', 'recorder.goOn();', 'continue'],
    ['apps/x/src/a.ts', "throw new Error('Zoom did not answer.');", 'did not respond'],
    ['apps/x/src/a.ts', '/** Of the recording. */', 'a subject'],
  ])('refuses %s with %j and names the term: %s', (path, text, use) => {
    expect(problemsOf(path, text).join('\n')).toContain(use);
  });

  test('gives the line and the whole name', () => {
    expect(problemsOf('apps/x/src/a.ts', 'one();\nconst peopleCount = 1;')).toEqual([
      'apps/x/src/a.ts:2: instead of "people" of "peopleCount" use participant (docs/glossary.md).',
    ]);
  });

  test.each([
    ['apps/x/src/a.ts', "const label = 'People';"],
    ['apps/x/src/a.ts', 'const found = /picture/.test(text);'],
    ['apps/x/src/a.ts', 'body.alpha_config.profile_picture'],
    ['apps/x/src/a.ts', '// A reader of the log goes the same way; people at work.'],
    ['apps/x/src/a.ts', "const user = 'nobody';"],
    ['apps/x/src/a.ts', '/** One of the runs. */ const found = lookUp(id);'],
    ['apps/x/src/gateway.ts', 'const gateway = `${stringOf(a)}`;'],
    ['docs/a.md', 'The legacy field `sound` and [a link](docs/picture.png).'],
  ])('accepts %s with %j', (path, text) => {
    expect(problemsOf(path, text)).toEqual([]);
  });
});
