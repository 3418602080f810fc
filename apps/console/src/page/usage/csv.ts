type Cell = string | number | null;

/** RFC 4180 with a header of the members of the first row; a text that a spreadsheet would run as a formula is quoted as text. */
export function csvOf(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const head = Object.keys(rows[0] ?? {});
  const lines = [head, ...rows.map((row) => head.map((name) => cellOf(row[name] ?? null)))];
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

function cellOf(value: Cell): string {
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return value === null ? '' : String(value);
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
