import { applyOverlay } from '@rapporteur/meeting-platforms/page-packs';
import type { PagePack, PagePackOverlay } from '@rapporteur/meeting-platforms/page-packs';

/** One value that a pack has more or less than the built-in one. */
export interface PackChange {
  /** `elements/joinButton`, `texts/lobby-text`, `dialogs`, … */
  readonly field: string;
  /** `+` with the position in the list from 1 on, or `-`. */
  readonly change: string;
  readonly value: string;
}

/** What the overlay adds to and takes from the pack, in the order of its fields. */
export function changesOf(base: PagePack, overlay: PagePackOverlay): readonly PackChange[] {
  const changed = applyOverlay(base, overlay);
  return [
    ...lists('elements', base.elements, changed.elements),
    ...lists('page', base.page, changed.page),
    ...differences('dialogs', base.dialogs, changed.dialogs),
    ...lists('captions', { ...base.captions }, { ...changed.captions }),
    ...lists('texts', base.texts, changed.texts),
  ];
}

type Values = Readonly<Record<string, unknown>>;

function lists(part: string, base: Values, changed: Values): PackChange[] {
  return Object.keys(base).flatMap((name) => differences(`${part}/${name}`, listOf(base[name]), listOf(changed[name])));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function differences(field: string, base: readonly unknown[], changed: readonly unknown[]): PackChange[] {
  const before = base.map(textOf);
  const after = changed.map(textOf);
  return [
    ...before.filter((value) => !after.includes(value)).map((value) => ({ field, change: '-', value })),
    ...after.flatMap((value, at) => (before.includes(value) ? [] : [{ field, change: `+ ${at + 1}`, value }])),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
