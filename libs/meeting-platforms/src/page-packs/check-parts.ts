import type { KnownDialog, MeetingPlatformName, PagePack, PagePackOverlay, TextPattern } from '@rapporteur/contracts';
import { isNameInPage } from './built-in.ts';
import { refusal } from './refusal.ts';
import { selectorProblem } from './selector-syntax.ts';
import type { SelectorKind } from './selector-syntax.ts';
import { patternProblem } from './text-matcher.ts';

const plainName = /^[\p{L}\p{N}_-][\p{L}\p{N}_ -]{0,63}$/u;
/** Of all patterns of an overlay, UTF-16 units: compiling them takes time. */
const mostOfPatterns = 6_000;

/** The selectors and patterns of an overlay. @throws Failure VALIDATION with a sentence that names the field */
export function checkPackParts(overlay: PagePackOverlay, platform: MeetingPlatformName): void {
  const { elements = {}, page = {}, texts = {}, dialogs, captions } = overlay;
  for (const [name, { first = [], last = [], replace = [] }] of Object.entries(elements))
    checkSelectors([...first, ...last, ...replace], 'element', `elements/${name}`);
  for (const [name, { replace }] of Object.entries(page)) checkPageValue([replace].flat(), { name, platform });
  const listed = [...(dialogs?.first ?? []), ...(dialogs?.replace ?? [])];
  for (const { buttons, buttonsWithDevices = [] } of listed)
    checkSelectors([...buttonsWithDevices, ...buttons], 'element', 'dialogs/buttons');
  const { shown, strip, language } = captions ?? {};
  for (const [field, selector] of [
    ['captions/shown', shown?.replace],
    ['captions/strip', strip?.replace],
    ['captions/language/option', language?.replace?.option],
  ] as const)
    if (selector !== undefined) checkSelectors([selector], 'css', field);
  checkTexts(texts, listed);
}

/** A whole pack, as an overlay would be, but for the selectors that only built-in packs may have. */
export function checkPack({ elements, page, dialogs, dialogKinds, captions, texts, platform }: PagePack): void {
  for (const [name, list] of Object.entries(elements)) checkSelectors(list, 'built-in-element', `elements/${name}`);
  for (const [name, value] of Object.entries(page)) checkPageValue([value].flat(), { name, platform });
  for (const { buttons, buttonsWithDevices = [] } of dialogs)
    checkSelectors([...buttonsWithDevices, ...buttons], 'built-in-element', 'dialogs/buttons');
  const { shown, strip, language } = captions;
  checkSelectors([shown, strip, ...(language === null ? [] : [language.option])], 'css', 'captions');
  for (const [name, list] of Object.entries(texts)) checkPatterns(list, `texts/${name}`);
  for (const { text } of dialogs) checkPatterns(text, 'dialogs/text');
  for (const { text = [], buttons = [], press = [] } of dialogKinds)
    checkPatterns([text, buttons, press].flat(2), 'dialogKinds');
}

function checkSelectors(selectors: readonly string[], kind: SelectorKind, field: string): void {
  for (const selector of selectors) {
    const problem = selectorProblem(selector, kind);
    if (problem !== null) throw refusal(field, `has a selector that ${problem}: ${selector.slice(0, 80)}`);
  }
}

function checkPageValue(
  values: readonly string[],
  { name, platform }: { readonly name: string; readonly platform: MeetingPlatformName },
): void {
  if (!isNameInPage(platform, name)) return checkSelectors(values, 'css', `page/${name}`);
  const broken = values.find((value) => !plainName.test(value));
  if (broken !== undefined) throw refusal(`page/${name}`, `is no plain name: ${broken.slice(0, 80)}`);
}

function checkTexts(texts: Readonly<NonNullable<PagePackOverlay['texts']>>, dialogs: readonly KnownDialog[]): void {
  const lists = [
    ...Object.entries(texts).map(([name, { first = [], last = [], replace = [] }]) => ({
      field: `texts/${name}`,
      patterns: [...first, ...last, ...replace],
    })),
    ...dialogs.map(({ text }) => ({ field: 'dialogs/text', patterns: text })),
  ];
  const length = lists.reduce((sum, { patterns }) => sum + partsOf(patterns).join('').length, 0);
  if (length > mostOfPatterns)
    throw refusal('texts', `has patterns of ${length} characters in all; the most is ${mostOfPatterns}.`);
  for (const { field, patterns } of lists) checkPatterns(patterns, field);
}

function checkPatterns(patterns: readonly TextPattern[], field: string): void {
  for (const pattern of partsOf(patterns)) {
    const problem = patternProblem(pattern);
    if (problem !== null) throw refusal(field, `has a pattern that ${problem}: ${pattern.slice(0, 80)}`);
  }
}

function partsOf(patterns: readonly TextPattern[]): string[] {
  return patterns.flatMap((pattern) => (typeof pattern === 'string' ? [pattern] : [pattern.match, pattern.unless]));
}
