import type { BusLogger } from '../ports.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A logger whose lines a test can read. */
export function recordingLogger(): BusLogger & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: LogLine['level']) =>
    (fields: object, message: string): void => {
      lines.push({ level, fields: fields as Record<string, unknown>, message });
    };
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}
