import { expect, test } from '@jest/globals';
import { documentedCommands, shellBlocks } from './documented-commands.ts';

const page = '# Page\n\n```sh\nfirst\nsecond --flag\n```\n\nText.\n\n```sql\nselect 1\nfrom two;\n```\n';

test('a shell block has a command per line, another one is a command', () => {
  expect(documentedCommands(page, 'sh')).toEqual(['first', 'second --flag']);
  expect(documentedCommands(page, 'sql')).toEqual(['select 1\nfrom two;']);
});

test('a shell block states where it is, and why it is not run', () => {
  const list = '1. Step\n\n   ```sh\n   one \\\n     --more\n   ```\n\n```sh no-run needs a cluster\ntwo\n```\n';
  expect(shellBlocks(page + list)).toEqual([
    { line: 4, language: 'sh', text: 'first\nsecond --flag\n', notRunBecause: null },
    { line: 17, language: 'sh', text: 'one \\\n  --more\n', notRunBecause: null },
    { line: 22, language: 'sh', text: 'two\n', notRunBecause: 'needs a cluster' },
  ]);
  expect(() => shellBlocks('```sh no-run\nthree\n```\n')).toThrow('no reason');
});
