import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { publicDocument, publicOperations } from '@rapporteur/contracts/public-api';
import { readPages, sitePages, licencesPage, isForContributors, llmsFiles } from './build-docs.ts';
import { sitePathOf } from './pages.ts';
import { sidebarLinks } from './site-config.ts';

const root = join(import.meta.dirname, '../../../..');

test('every link of the documentation leads somewhere, and every page of the menu exists', () => {
  const pages = sitePages(root, readPages(root), null);
  const missing = sidebarLinks().filter((link) => !pages.has(`${link.slice(1).replace(/\/$/, '/index')}.md`));
  expect(missing).toEqual([]);
  expect(Object.keys(llmsFiles(pages))).toEqual(['llms.txt', 'llms-full.txt']);
  expect(licencesPage(root, pages.get('guides/licences.md') ?? '')).toMatch(/\| MIT \| \d+ \| .*`express`/);
  expect(sitePathOf('docs/decisions/README.md')).toBe('decisions/index.md');
});

test('pages on how the service is made are not searched, and no list for language models has them', () => {
  const pages = [...sitePages(root, readPages(root), null).keys()];
  const searched = pages.filter((path) => !isForContributors(path));
  expect(searched.filter((path) => /^(apps|libs|tools|deploy|decisions)\//.test(path))).toEqual([
    'libs/sdk/index.md',
    'tools/mcp/index.md',
    'tools/operator-cli/index.md',
  ]);
  expect(searched).toEqual(
    expect.arrayContaining(['guides/my-bot-waits.md', 'helm/rapporteur/index.md', 'upgrading.md']),
  );
  expect(llmsFiles(new Map([['tools/simulator/index.md', '# Simulator']]))['llms.txt']).not.toContain('Simulator');
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const operations = publicOperations().map(
  ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
);
const isOperation = (method: string, path: string): boolean => {
  const shape = path
    .replace(/[?].*$/, '')
    .replaceAll(/\{\w+\}/g, '{}')
    .replace(/^…/, '');
  return operations.some(
    (known) =>
      known.startsWith(`${method} `) && (path.startsWith('…') ? known.endsWith(shape) : known === `${method} ${shape}`),
  );
};

test('every operation that a page names in full exists', () => {
  const named = [...readPages(root)].flatMap(([page, text]) =>
    [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/v2\/[^`\s…]*)`/g)].map(([, method = '', path = '']) => ({
      page,
      method,
      path,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  const strange = named.filter(({ method, path }) => !isOperation(method, path));
  // What Google and Microsoft call is no part of the customers' document.
  expect(new Set(strange.map(({ path }) => path))).toEqual(new Set(['/v2/calendar-notifications/{channel_id}']));
});

test('what the page on moving names as ours exists: operations, fields, events', () => {
  const names = new Set<string>();
  JSON.stringify(publicDocument, (key, value: unknown) => {
    names.add(key);
    if (typeof value === 'string') names.add(value);
    return value;
  });
  const [page = '', errors = ''] = ['migrate', 'errors'].map((name) => readPages(root).get(`docs/guides/${name}.md`));
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ')[1] ?? '');
  const ours = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
  expect(ours.length).toBeGreaterThan(50);
  const unknown = ours.filter((text) => {
    const [, method, path = ''] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?((?:…|\/v2)\/\S*)$/.exec(text) ?? [];
    if (path !== '') return !methods.some((one) => (method ?? one) === one && isOperation(one, path));
    // End codes have a test of their own on their page.
    if (names.has(text) || methods.includes(text) || (/^[A-Z_]+$/.test(text) && errors.includes(text))) return false;
    const fields = text.replace(/:.*$/, '').split('.');
    return !fields.every((field) => names.has(field));
  });
  expect(unknown).toEqual([]);
});
