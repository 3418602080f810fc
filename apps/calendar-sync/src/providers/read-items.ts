import { hash } from 'node:crypto';
import { mapInSlices } from '@rapporteur/async';
import { readEach } from '@rapporteur/contracts';
import { shownText } from '@rapporteur/contracts/shown-text';
import { isStorableText } from '@rapporteur/database';
import { z } from 'zod';
import type { ProviderItem } from './calendar-provider.ts';

const largestIdBytes = 2_000;

/** An id that PostgreSQL can index. */
export const providerId = z
  .string()
  .min(1)
  .refine((id) => Buffer.byteLength(id) <= largestIdBytes && isStorableText(id), {
    message: 'it is no id that can be stored',
  });

/** A text that a provider omits, or sends as null. */
export const optionalText = z.string().nullish();
/** A title or a name of one line, without what shows it as another one. */
export const shownName = optionalText.transform((text) => text && shownText(text));

/** Parses the events of a page one by one. @param readOne throws for an unreadable event */
export async function readItems(
  elements: readonly unknown[],
  readOne: (element: Readonly<Record<string, unknown>>) => ProviderItem,
): Promise<ProviderItem[]> {
  const read = await mapInSlices(elements, (one) =>
    readEach(
      [one],
      (element) => readOne(z.record(z.string(), z.unknown()).parse(element)),
      ({ element, reason }): ProviderItem => ({ kind: 'unreadable', providerEventId: idOf(element), reason }),
    ),
  );
  return read.flat();
}

/** Its id, or one derived from its content. */
function idOf(element: unknown): string {
  const own = z.object({ id: providerId }).safeParse(element);
  return own.success ? own.data.id : `without-id-${hash('sha256', JSON.stringify(element)).slice(0, 32)}`;
}

const firstStorableMs = Date.UTC(1900, 0);
const endOfStorableMs = Date.UTC(10_000, 0);

/** Throws for a time that is missing or cannot be stored. */
export function storableInstant(ms: number | null, field: string): number {
  if (ms !== null && ms >= firstStorableMs && ms < endOfStorableMs) return ms;
  throw new Error(`${field}: it is no time of the years 1900 to 9999 that can be read`);
}
