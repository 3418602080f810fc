/** Shared by all scripts of one document or worker. */
const scope = globalThis as { rapporteurTimeOriginMs?: number };
/** Chromium's and Node's clocks are read and rounded one after the other. */
const roundingMs = 5;

/** Epoch milliseconds at which `performance.now()` of this document or worker was zero. */
export function timeOriginMs(): number {
  return scope.rapporteurTimeOriginMs ?? performance.timeOrigin;
}

/**
 * The time in page scripts: epoch milliseconds of the bot's clock, which corrections of the machine's time do not
 * change. `Date.now()` follows them.
 */
export function pageNow(): number {
  return Math.floor(exactPageNow());
}

/** With fractions, for media. */
export function exactPageNow(): number {
  return timeOriginMs() + performance.now();
}

/**
 * Aligns this document or worker with the bot's clock, once. Chromium takes `performance.timeOrigin` from the time of
 * day when a document or worker begins, so it differs from that clock by the corrections since. Without one it lies
 * within the bounds, and stays: no delay of a message moves it.
 * @param earliestMs lower bound of the time origin, epoch ms of the bot's clock
 */
export function alignTimeOrigin(earliestMs: number, latestMs: number): void {
  const own = performance.timeOrigin;
  const isWithin = earliestMs - roundingMs <= own && own <= latestMs + roundingMs;
  scope.rapporteurTimeOriginMs ??= isWithin ? own : (earliestMs + latestMs) / 2;
}
