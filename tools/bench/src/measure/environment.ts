import { readFileSync } from 'node:fs';

/** The environment at the start of a process. @throws Error when it has ended */
export function environmentOf(pid: number): ReadonlyMap<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
}
