import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls `condition` every 20 ms until its result is truthy and gives it. Throws what it waited for once `timeoutMs` (default 30 000)
 * is over; an error thrown by `condition` counts as "not yet" and is named at the end.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: { readonly what: string; readonly timeoutMs?: number },
): Promise<Exclude<T, false | null | undefined>> {
  const { what, timeoutMs = 30_000 } = options;
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const result = await condition();
      if (result) return result as Exclude<T, false | null | undefined>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}.`, { cause: last });
    await sleep(20);
  }
}
