import { describe, expect, test } from '@jest/globals';
import { anchorsIn, rewriteLinks } from './pages.ts';

function rewritten(text: string, repositoryUrl: string | null = null) {
  return rewriteLinks(text, {
    source: 'docs/guides/webhooks.md',
    pages: new Set(['README.md', 'docs/guides/webhooks.md', 'docs/runbooks/README.md', 'libs/sdk/README.md']),
    anchorsOf: () => new Set(['retries']),
    kindOf: (path) =>
      ({ 'docs/images/a.png': 'file', 'helm/values.yaml': 'file', apps: 'folder' }[path] as 'file') ?? 'none',
    repositoryUrl,
  });
}

describe('a link of a page', () => {
  test.each([
    ['[a](../../README.md)', '[a](/quick-start.md)'],
    ['[a](../runbooks/)', '[a](/runbooks/index.md)'],
    ['[a](../../libs/sdk/README.md#retries)', '[a](/libs/sdk/index.md#retries)'],
    ['[a](#retries)', '[a](/guides/webhooks.md#retries)'],
    ['![a](../images/a.png)', '![a](/images/a.png)'],
    ['[a](https://example.com/x)', '[a](https://example.com/x)'],
    ['[values](../../helm/values.yaml)', 'values'],
    ['```\n[a](nothing.md)\n```', '```\n[a](nothing.md)\n```'],
  ])('%s becomes %s', (text, expected) => {
    expect(rewritten(text)).toEqual({ text: expected, problems: [] });
  });

  test('to a source leads to the repository where its address is known', () => {
    const { text } = rewritten('[a](../../helm/values.yaml) [b](../../apps)', 'https://git.example.com/r');
    expect(text).toBe(
      '[a](https://git.example.com/r/blob/HEAD/helm/values.yaml) [b](https://git.example.com/r/tree/HEAD/apps)',
    );
  });

  test.each([['[a](missing.md)'], ['[a](../../README.md#nothing)']])('%s is a problem', (text) => {
    expect(rewritten(text).problems).toHaveLength(1);
  });
});

test('anchors are those of GitHub, and code has none', () => {
  expect([...anchorsIn('## P12. Idle `services`\n```\n# no\n```\n### The [a](b.md) & b')]).toEqual([
    'p12-idle-services',
    'the-a--b',
  ]);
});
