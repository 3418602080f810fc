import { setTimeout as sleep } from 'node:timers/promises';

/** Polls every 100 ms until the result is truthy; says what it waited for when the time is over. */
export async function waitUntil<T>(
  probe: () => T | Promise<T>,
  options: { readonly what: string; readonly timeoutMs: number; readonly everyMs?: number },
): Promise<NonNullable<T>> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`Waited ${options.timeoutMs} ms for ${options.what}.`);
    await sleep(options.everyMs ?? 100);
  }
}
