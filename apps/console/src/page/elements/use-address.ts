import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

export interface Address {
  readonly search: URLSearchParams;
  /** Sets or removes a parameter of the address; a changed filter returns to the first page. */
  readonly change: (name: string, value: string | null) => void;
  readonly reset: () => void;
  /** Whether the address has any parameter but the page. */
  readonly isFiltered: boolean;
}

/** Filters and page of a list, stored in the address: a reload, a link and the back button keep them. */
export function useAddress(): Address {
  const [search, setSearch] = useSearchParams();
  return {
    search,
    change: (name, value) =>
      setSearch((before) => {
        const next = new URLSearchParams(before);
        if (name !== 'cursor') next.delete('cursor');
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      }),
    reset: () => setSearch(new URLSearchParams()),
    isFiltered: [...search.keys()].some((name) => name !== 'cursor'),
  };
}

/** The address's parameters of these names, as query parameters of the API. */
export function queryOf<Name extends string>(
  search: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const query: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value !== null && value !== '') query[name] = value;
  }
  return query;
}

/** The instant at which a day in the address begins in this time zone, or null where it has none. */
export function dayStart(search: URLSearchParams, name: string, daysLater = 0): string | null {
  const day = search.get(name) ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return null;
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

/** The value once it has not changed for this long. */
export function useSettled<T>(value: T, settleMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value, settleMs]);
  return settled;
}
