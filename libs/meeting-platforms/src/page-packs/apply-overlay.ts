import { pagePackLimits } from '@rapporteur/contracts';
import type {
  KnownDialog,
  PackCaptions,
  PagePack,
  PagePackOverlay,
  TextPattern,
  MeetingPlatformName,
} from '@rapporteur/contracts';
import { refusal, shown } from './refusal.ts';
import { isNameInPage } from './built-in.ts';
import { selectorProblem } from './selector-syntax.ts';
import type { SelectorKind } from './selector-syntax.ts';
import { patternProblem } from './text-matcher.ts';

/** The pack with an operator's changes. @throws Failure VALIDATION with a sentence that names the field */
export function applyOverlay(base: PagePack, overlay: PagePackOverlay): PagePack {
  if (overlay.platform !== base.platform)
    throw refusal('platform', `is ${overlay.platform}; the built-in pack is that of ${base.platform}.`);
  if (overlay.base !== base.version)
    throw refusal(
      'base',
      `is ${overlay.base}, but the built-in pack of ${base.platform} has version ${base.version}: write the pack for that version.`,
    );
  checkPackParts(overlay, base.platform);
  const pack: PagePack = {
    ...base,
    version: pagePackVersion(base, overlay),
    elements: changed(base.elements, overlay.elements, 'elements'),
    page: withValues(base.page, overlay.page),
    dialogs: dialogsOf(base.dialogs, overlay.dialogs),
    captions: captionsOf(base.captions, overlay.captions),
    texts: changed<TextPattern>(base.texts, overlay.texts, 'texts'),
  };
  refuseUnknownElements(pack);
  return pack;
}

/** `2026-11-26.1`, or with an overlay `2026-11-26.1+<its version>`. */
export function pagePackVersion(base: PagePack, overlay: PagePackOverlay | null): string {
  return overlay === null ? base.version : `${base.version}+${overlay.version}`;
}

interface ListChange<T> {
  readonly first?: readonly T[] | undefined;
  readonly last?: readonly T[] | undefined;
  readonly replace?: readonly T[] | undefined;
}

function changed<T>(
  lists: Readonly<Record<string, T[]>>,
  changes: Readonly<Record<string, ListChange<T>>> | undefined,
  part: string,
): Record<string, T[]> {
  const result: Record<string, T[]> = { ...lists };
  for (const [name, change] of Object.entries(changes ?? {})) {
    const field = `${part}/${name}`;
    result[name] = changedList(known(lists, name, field), change, field);
  }
  return result;
}

function changedList<T>(list: readonly T[], { first, last, replace }: ListChange<T>, field: string): T[] {
  if (replace !== undefined && (first !== undefined || last !== undefined))
    throw refusal(field, 'has replace beside first or last: state one of them.');
  if (replace === undefined && first === undefined && last === undefined)
    throw refusal(field, 'has neither first, last nor replace.');
  const entries = replace ?? [...(first ?? []), ...list, ...(last ?? [])];
  if (entries.length > pagePackLimits.list)
    throw refusal(field, `would have ${entries.length} entries; the most is ${pagePackLimits.list}.`);
  return [...entries];
}

function withValues(page: PagePack['page'], changes: PagePackOverlay['page']): PagePack['page'] {
  const result = { ...page };
  for (const [name, { replace }] of Object.entries(changes ?? {})) {
    const field = `page/${name}`;
    const isList = Array.isArray(known(page, name, field));
    if (Array.isArray(replace) !== isList) throw refusal(field, `is ${isList ? 'a list' : 'one text, no list'}.`);
    result[name] = replace;
  }
  return result;
}

function known<T>(values: Readonly<Record<string, T>>, name: string, field: string): T {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw refusal(field, `is not known. Known are: ${Object.keys(values).join(', ')}.`);
  return value;
}

function dialogsOf(dialogs: readonly KnownDialog[], change: PagePackOverlay['dialogs']): KnownDialog[] {
  if (change === undefined) return [...dialogs];
  const { first, replace } = change;
  if ((first === undefined) === (replace === undefined))
    throw refusal('dialogs', 'has both first and replace, or neither: state one of them.');
  const entries = replace ?? [...(first ?? []), ...dialogs];
  if (entries.length > pagePackLimits.dialogs)
    throw refusal('dialogs', `would have ${entries.length} entries; the most is ${pagePackLimits.dialogs}.`);
  return entries;
}

function captionsOf(captions: PackCaptions, change: PagePackOverlay['captions']): PackCaptions {
  const { turnOn, keys, shown: on, strip, language, regions } = change ?? {};
  return {
    turnOn: turnOn === undefined ? captions.turnOn : turnOn.replace,
    keys: keys === undefined ? captions.keys : keys.replace,
    shown: on === undefined ? captions.shown : on.replace,
    strip: strip === undefined ? captions.strip : strip.replace,
    language: language === undefined ? captions.language : language.replace,
    regions: regions === undefined ? captions.regions : regions.replace,
  };
}

function refuseUnknownElements({ captions, elements }: PagePack): void {
  const { turnOn, language } = captions;
  const named = [
    ...turnOn.map(({ element }) => ['captions/turnOn', element] as const),
    ...(language === null ? [] : language.open).map((element) => ['captions/language/open', element] as const),
    ...(language === null ? [] : [['captions/language/close', language.close] as const]),
  ];
  for (const [field, element] of named)
    if (!Object.hasOwn(elements, element)) throw refusal(field, `names the unknown element ${shown(element)}.`);
}

const plainName = /^[\p{L}\p{N}_-][\p{L}\p{N}_ -]{0,63}$/u;
/** The limit for all patterns of an overlay, in UTF-16 units: compiling them takes time. */
const mostOfPatterns = 6_000;

/** The selectors and patterns of an overlay. @throws Failure VALIDATION with a sentence that names the field */
function checkPackParts(overlay: PagePackOverlay, platform: MeetingPlatformName): void {
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
