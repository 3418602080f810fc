import type { ReactNode } from 'react';

interface TableProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** Rows of facts, in the order of `head`. A narrow window scrolls it, also by keyboard. */
export function Table({ label, head, rows }: TableProps) {
  return (
    <div className="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={index}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
