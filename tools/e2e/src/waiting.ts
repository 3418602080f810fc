import { setTimeout as sleep } from 'node:timers/promises';

/** For hangs only: longer than what is waited for takes on a busy machine. */
const usualTimeoutMs = 120_000;

/**
 * Polls every 100 ms until the result is truthy. Throws what it waited for after two minutes; a timeout of its own may
 * lengthen that, never shorten it.
 */
export async function waitUntil<T>(
  probe: () => T | Promise<T>,
  options: { readonly what: string; readonly timeoutMs?: number; readonly everyMs?: number },
): Promise<NonNullable<T>> {
  const timeoutMs = Math.max(options.timeoutMs ?? 0, usualTimeoutMs);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result as NonNullable<T>;
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${options.what}.`);
    await sleep(options.everyMs ?? 100);
  }
}
