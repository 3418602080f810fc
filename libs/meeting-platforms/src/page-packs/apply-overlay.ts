import { pagePackLimits } from '@rapporteur/contracts';
import type { KnownDialog, PackCaptions, PagePack, PagePackOverlay, TextPattern } from '@rapporteur/contracts';
import { checkPackParts } from './check-parts.ts';
import { refusal, shown } from './refusal.ts';

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
