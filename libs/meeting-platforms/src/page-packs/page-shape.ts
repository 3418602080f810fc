import { createHash } from 'node:crypto';

const longestHtml = 1_048_576;
const longestTag = 4_000;
/** Attributes that name an element in the code of a page; a value with digits may be of one call only. */
const named = /\s(role|type|data-tid|data-testid|data-test-id)="([^"\d]{1,60})"/g;

/**
 * Identifies the structure of a kept page: which kinds of elements it has, whatever their texts, number and order are.
 * Pages of one shape are the same page of a platform, in any language and for any meeting.
 */
export function pageShape(html: string): string {
  const elements = new Set<string>();
  // Markup of evidence is escaped: a `<` begins a tag, and the next `>` ends it.
  for (const part of html.slice(0, longestHtml).split('<')) {
    const tag = part.slice(0, longestTag).split('>')[0] ?? '';
    const [name] = /^[a-z][\w-]*/.exec(tag) ?? [];
    if (name === undefined) continue;
    elements.add([name, ...[...tag.matchAll(named)].map(([, key, value]) => `${key}=${value}`)].join(' '));
  }
  return createHash('sha256')
    .update([...elements].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
}
