import { isValidElement } from 'react';
import type { ReactNode } from 'react';

/** `wide`: hidden in a narrow window. `unseen`: its name is for screen readers. */
type Column = string | readonly [name: string, kind: 'wide' | 'unseen'];

interface TableProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly head: readonly Column[];
  /** In the order of `head`. The first cell of a row names it; a key of its element is that of the row. */
  readonly rows: readonly (readonly ReactNode[])[];
  /** A last row with sums. */
  readonly foot?: readonly ReactNode[];
  readonly className?: string;
}

/** Rows of facts. A narrow window scrolls it, also by keyboard. */
export function Table({ label, head, rows, foot, className }: TableProps) {
  const kindOf = (index: number): string | undefined => (head[index]?.[1] === 'wide' ? 'wide' : undefined);
  const rowOf = (row: readonly ReactNode[], place: number) => (
    <tr key={(isValidElement(row[0]) ? row[0].key : null) ?? place}>
      {row.map((cell, index) =>
        index === 0 ? (
          <th key={index} scope="row">
            {cell}
          </th>
        ) : (
          <td key={index} className={kindOf(index)}>
            {cell}
          </td>
        ),
      )}
    </tr>
  );
  return (
    <div className="table" role="region" aria-label={label} tabIndex={0}>
      <table className={className} aria-label={label}>
        <thead>
          <tr>
            {head.map((column, index) => (
              <th key={index} scope="col" className={kindOf(index)}>
                {column[1] === 'unseen' ? <span className="visually-hidden">{column[0]}</span> : nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(rowOf)}</tbody>
        {foot !== undefined && <tfoot>{rowOf(foot, 0)}</tfoot>}
      </table>
    </div>
  );
}

const nameOf = (column: Column): string => (typeof column === 'string' ? column : column[0]);
