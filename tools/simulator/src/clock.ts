/** The simulator's clock; tests pass one that does not advance by itself. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function cancels it and may be called twice. */
  after(delayMs: number, action: () => void): () => void;
};

const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
