import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readPages, sitePages } from './build-docs.ts';
import { licencesPage } from './licences.ts';
import { llmsFiles } from './llms.ts';
import { sitePathOf } from './pages.ts';
import { sidebarLinks } from './sidebar.ts';

const root = join(import.meta.dirname, '../../../..');

test('every link of the documentation leads somewhere, and every page of the menu exists', () => {
  const pages = sitePages(root, readPages(root), null);
  const missing = sidebarLinks().filter((link) => !pages.has(`${link.slice(1).replace(/\/$/, '/index')}.md`));
  expect(missing).toEqual([]);
  expect(Object.keys(llmsFiles(pages))).toEqual(['llms.txt', 'llms-full.txt']);
  expect(licencesPage(root, pages.get('guides/licences.md') ?? '')).toMatch(/\| MIT \| \d+ \| .*`express`/);
  expect(sitePathOf('docs/decisions/README.md')).toBe('decisions/index.md');
});
