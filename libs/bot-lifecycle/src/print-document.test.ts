import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { renderLifecycleDocument } from './print-document.ts';

test('docs/bot-lifecycle.md states what the transition table says', () => {
  const written = readFileSync(new URL('../../../docs/bot-lifecycle.md', import.meta.url), 'utf8');
  expect(written).toBe(renderLifecycleDocument());
});
