import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

/** Median, minimum and maximum of some figures. Throws for none. */
export function spreadOf(figures: readonly number[]): { median: number; low: number; high: number } {
  const sorted = figures.toSorted((left, right) => left - right);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined) throw new Error('There are no figures.');
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? low) + (sorted[Math.floor(middle)] ?? high)) / 2;
  return { median, low, high };
}

/** `2.91 (2.71 to 3.10)` */
export function reported(figures: readonly number[], digits = 2): string {
  const { median, low, high } = spreadOf(figures);
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** The machine and its load, printed with every figure. */
export function machine(): string {
  const [processor] = cpus();
  const load = loadavg().map((value) => value.toFixed(2));
  const kernel = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim();
  return `${cpus().length} × ${processor?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${kernel}, Node ${process.version}, load average ${load.join(' ')}`;
}
