export type CsvCell = string | number | boolean | null;
export type CsvRow = Readonly<Record<string, CsvCell>>;

/**
 * RFC 4180 with a header, by default the members of the first row. A text that a spreadsheet would evaluate as a
 * formula is quoted as text.
 */
export function csvOf(rows: readonly CsvRow[], columns: readonly string[] = Object.keys(rows[0] ?? {})): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => cellOf(row[name] ?? null)))];
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

function cellOf(value: CsvCell): string {
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return value === null ? '' : String(value);
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
