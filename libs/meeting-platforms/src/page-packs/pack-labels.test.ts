import { describe, expect, test } from '@jest/globals';
import { platformNames } from '@rapporteur/contracts';
import { builtInPagePack } from './index.ts';

/** The element that a bot presses where a text rule reads the label of a button. */
const pressedFor: Readonly<Record<string, string>> = {
  'join-button': 'joinButton',
  'web-join-button': 'continueInBrowser',
};

/** All texts of a pattern that is made of groups, alternatives and optional parts. */
function labelsOf(pattern: string): string[] {
  let at = 0;
  const sequence = (): string[] => {
    let texts = [''];
    while (at < pattern.length && !/[|)]/.test(pattern[at]!)) {
      const sign = pattern[at]!;
      at += 1;
      let parts = /[$^]/.test(sign) ? [''] : [sign];
      if (sign === '(') {
        parts = alternatives();
        at += 1;
      }
      if (pattern[at] === '?') {
        at += 1;
        parts = ['', ...parts];
      }
      texts = texts.flatMap((text) => parts.map((part) => text + part));
    }
    return texts;
  };
  const alternatives = (): string[] => {
    const found = sequence();
    while (pattern[at] === '|') {
      at += 1;
      found.push(...sequence());
    }
    return found;
  };
  return alternatives();
}

const quoted = /:(has-text|text-is|text-matches)\("((?:[^"\\]|\\.)*)"|\[aria-label(\^?)="([^"]*)"/g;

/** Whether a selector finds a button with this label: by its text or its `aria-label`. */
function finds(selector: string, label: string): boolean {
  return [...selector.matchAll(quoted)].some(([, how, text = '', prefix, labelled]) => {
    const wanted = (labelled ?? text).toLowerCase();
    if (how === 'text-matches') return new RegExp(text, 'iu').test(label);
    if (how === 'has-text') return label.includes(wanted);
    return prefix === '^' ? label.startsWith(wanted) : label === wanted;
  });
}

describe.each(platformNames)('labels of %s', (platform) => {
  const { texts, elements } = builtInPagePack(platform);
  const labels = Object.entries(pressedFor).flatMap(([rule, element]) =>
    (texts[rule] ?? []).flatMap((pattern) =>
      typeof pattern === 'string' ? labelsOf(pattern).map((label) => [label.toLowerCase(), element] as const) : [],
    ),
  );
  test('that a text rule reads have an element that is pressed', () => {
    const without = labels.filter(([label, element]) => elements[element]?.some((one) => finds(one, label)) !== true);
    expect(without).toEqual([]);
  });
});

test('patterns are expanded to their texts', () => {
  expect(labelsOf('^(ask|(join|enter)( now)?)$')).toEqual(['ask', 'join', 'join now', 'enter', 'enter now']);
});
