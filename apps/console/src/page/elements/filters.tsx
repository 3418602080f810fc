import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ReactNode } from 'react';
import { Field } from './form.tsx';

/** The filters of a list. Their values are part of the address, so nothing is submitted. */
export function Filters({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <form className="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

interface FilterProps {
  readonly address: Address;
  readonly name: string;
  readonly label: string;
}

export function TextFilter({
  address: { search, change },
  name,
  label,
  type = 'search',
}: FilterProps & { readonly type?: 'search' | 'date' }) {
  return (
    <Field label={label}>
      <input
        type={type}
        value={search.get(name) ?? ''}
        maxLength={200}
        onChange={(event) => change(name, event.target.value)}
      />
    </Field>
  );
}

export function ChoiceFilter({
  address: { search, change },
  name,
  label,
  options,
}: FilterProps & { readonly options: readonly (readonly [string, string])[] }) {
  return (
    <Field label={label}>
      <select value={search.get(name) ?? ''} onChange={(event) => change(name, event.target.value)}>
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface PagerProps {
  readonly page: { readonly cursor: string | null; readonly prev_cursor: string | null };
  readonly onMove: (cursor: string | null) => void;
  readonly what: string;
  /** Sort order of the list by time. */
  readonly first?: 'newest' | 'earliest';
}

const words = {
  newest: { back: 'Newer', start: 'Newest', onward: 'Older' },
  earliest: { back: 'Earlier', start: 'Earliest', onward: 'Later' },
} as const;

/** Pages of a list, by the cursors of the API. Hidden for a list of one page. */
export function Pager({ page: { cursor, prev_cursor: previous }, onMove, what, first = 'newest' }: PagerProps) {
  if (cursor === null && previous === null) return null;
  const { back, start, onward } = words[first];
  return (
    <nav className="pager" aria-label={`Pages of ${what}`}>
      <button type="button" disabled={previous === null} onClick={() => onMove(previous)}>
        {back}
      </button>
      <button type="button" disabled={previous === null} onClick={() => onMove(null)}>
        {start}
      </button>
      <button type="button" disabled={cursor === null} onClick={() => onMove(cursor)}>
        {onward}
      </button>
    </nav>
  );
}

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
