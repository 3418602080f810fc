import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedFiles } from './generated-files.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('generated files', () => {
  test.each([...generatedFiles()])('%s matches the sources: npm run observability writes it', async (path, content) => {
    expect(await readFile(join(root, path), 'utf8')).toBe(content);
  });
});
