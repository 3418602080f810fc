import { artifactLinks, calendarProviderNames, platformNames, webhookEventNames } from '@rapporteur/contracts';
import { batchProviders, batchVendors, liveProviders, liveVendors } from '@rapporteur/speech-to-text/providers';
import { simulatedNameOf } from '@rapporteur/speech-to-text/providers';

const transcriptionProviders = [...batchProviders, ...batchVendors.map(simulatedNameOf)];

/** The lists that contract files refer to, by name; each value with its description, or null. */
const lists = new Map<string, ReadonlyMap<string, string | null>>([
  ['artifactLinks', new Map(Object.entries(artifactLinks).map(([kind, { description }]) => [kind, description]))],
  ['calendarProviders', plain(calendarProviderNames)],
  ['fallbackProviders', plain(transcriptionProviders.filter((name) => name !== 'meeting_captions'))],
  ['liveProviders', plain([...liveProviders, ...liveVendors.map(simulatedNameOf)])],
  ['platforms', plain(platformNames)],
  ['transcriptionProviders', plain(transcriptionProviders)],
  ['webhookEvents', plain(webhookEventNames)],
]);

function plain(names: readonly string[]): ReadonlyMap<string, null> {
  return new Map(names.map((name) => [name, null]));
}

/**
 * The document with every `each:<list>` replaced by the members of the list, in its order: an item of an array by one
 * item per member; a property by one property per member, each with the value of that property and the member's
 * description; inside a pattern by the alternatives. Throws for a list that does not exist.
 */
export function withLists(place: unknown): unknown {
  if (typeof place === 'string')
    return place.replaceAll(/each:(\w+)/g, (_all, name: string) => [...listOf(name).keys()].join('|'));
  if (Array.isArray(place)) {
    return place.flatMap((item: unknown) => {
      const name = listNameIn(item);
      return name === null ? [withLists(item)] : [...listOf(name).keys()];
    });
  }
  if (typeof place !== 'object' || place === null) return place;
  return Object.fromEntries(
    Object.entries(place).flatMap(([member, value]: [string, unknown]) => {
      const [name, inner] = [listNameIn(member), withLists(value)];
      if (name === null) return [[member, inner] as const];
      return [...listOf(name)].map(
        ([one, description]) =>
          [one, { ...(inner as object), ...(description === null ? {} : { description }) }] as const,
      );
    }),
  );
}

function listNameIn(text: unknown): string | null {
  return typeof text === 'string' ? (/^each:(\w+)$/.exec(text)?.[1] ?? null) : null;
}

function listOf(name: string): ReadonlyMap<string, string | null> {
  const list = lists.get(name);
  if (list === undefined) throw new Error(`A contract file refers to each:${name}, which is no list.`);
  return list;
}
