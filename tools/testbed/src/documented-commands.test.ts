import { expect, test } from '@jest/globals';
import { documentedCommands } from './documented-commands.ts';

const page = '# Page\n\n```sh\nfirst\nsecond --flag\n```\n\nText.\n\n```sql\nselect 1\nfrom two;\n```\n';

test('a shell block has a command per line, another one is a command', () => {
  expect(documentedCommands(page, 'sh')).toEqual(['first', 'second --flag']);
  expect(documentedCommands(page, 'sql')).toEqual(['select 1\nfrom two;']);
});
