interface PagerProps {
  readonly page: { readonly cursor: string | null; readonly prev_cursor: string | null };
  readonly onMove: (cursor: string | null) => void;
  readonly what: string;
}

/** Newer and older pages of a list, by the cursors of the API. Nothing for a list of one page. */
export function Pager({ page: { cursor, prev_cursor: previous }, onMove, what }: PagerProps) {
  if (cursor === null && previous === null) return null;
  return (
    <nav className="pager" aria-label={`Pages of ${what}`}>
      <button type="button" disabled={previous === null} onClick={() => onMove(previous)}>
        Newer
      </button>
      <button type="button" disabled={previous === null} onClick={() => onMove(null)}>
        Newest
      </button>
      <button type="button" disabled={cursor === null} onClick={() => onMove(cursor)}>
        Older
      </button>
    </nav>
  );
}
