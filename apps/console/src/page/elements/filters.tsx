import type { ReactNode } from 'react';
import { Field } from './form.tsx';
import type { Address } from './use-address.ts';

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
