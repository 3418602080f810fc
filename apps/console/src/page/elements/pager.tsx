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
