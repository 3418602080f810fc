// A separate program (start-stall-probe.ts): a test's process is late for its own reasons, this one only for the
// machine's.
import { appendFileSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { StallReading } from './stall-reading.ts';

const tickMs = 20;
const readingMs = 1_000;
const pressureFile = '/proc/pressure/cpu';
const [, , outputFile = ''] = process.argv;

/** Microseconds in which at least one runnable task of the machine waited for a CPU; null where the kernel does not count them. */
function waitedUs(): number | null {
  try {
    return Number(/^some .* total=(\d+)$/m.exec(readFileSync(pressureFile, 'utf8'))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}

let fromMs = Date.now();
let waitedFromUs = waitedUs();
let lateMs = 0;
let dueMs = performance.now() + tickMs;

function report(untilMs: number): void {
  const waitedUntilUs = waitedUs();
  const cpuPressure =
    waitedFromUs === null || waitedUntilUs === null
      ? null
      : Math.min(1, (waitedUntilUs - waitedFromUs) / ((untilMs - fromMs) * 1_000));
  const reading: StallReading = { fromMs, untilMs, lateMs: Math.round(lateMs), cpuPressure };
  appendFileSync(outputFile, `${JSON.stringify(reading)}\n`);
  [fromMs, waitedFromUs, lateMs] = [untilMs, waitedUntilUs, 0];
}

function tick(): void {
  const nowMs = performance.now();
  lateMs = Math.max(lateMs, nowMs - dueMs);
  if (Date.now() - fromMs >= readingMs) report(Date.now());
  dueMs = performance.now() + tickMs;
  setTimeout(tick, tickMs);
}

process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
tick();
