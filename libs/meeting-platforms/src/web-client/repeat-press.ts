import type { SessionClock } from '../platform.ts';

export interface RepeatedPress {
  /** One read of the page: whether the press has had its effect. */
  readonly happened: () => Promise<boolean>;
  /** False: nothing was pressed, so the next poll may press again. */
  readonly press: () => Promise<boolean>;
  /** Maximum delay of a handled press's effect. Until then another press could undo it. */
  readonly againMs: number;
  readonly timeoutMs: number;
  /** Time of a press by an earlier call without an observed effect. */
  readonly pressedAtMs?: number;
}

export interface RepeatedPressOutcome {
  readonly happened: boolean;
  /** When the last press was taken; null: none was. */
  readonly pressedAtMs: number | null;
}

const pollMs = 100;

/**
 * Presses until the page shows the effect. A slow page handles a press late or not at all, and the target may have
 * moved: only the effect counts. Returns `happened: false` after the timeout or when the signal aborts.
 */
export async function repeatPress(
  { happened, press, againMs, timeoutMs, pressedAtMs }: RepeatedPress,
  clock: SessionClock,
  signal?: AbortSignal,
): Promise<RepeatedPressOutcome> {
  const untilMs = clock.now() + timeoutMs;
  let takenAtMs = pressedAtMs ?? null;
  for (;;) {
    if (await happened()) return { happened: true, pressedAtMs: takenAtMs };
    const nowMs = clock.now();
    if (nowMs >= untilMs || signal?.aborted === true) return { happened: false, pressedAtMs: takenAtMs };
    const due = takenAtMs === null || nowMs - takenAtMs >= againMs;
    if (due && (await press())) takenAtMs = clock.now();
    else await clock.sleep(pollMs, signal).catch(() => undefined);
  }
}

/** True as soon as the page shows it; false when the time is over or the signal aborts. */
export async function seeInTime(
  happened: () => Promise<boolean>,
  {
    timeoutMs,
    clock,
    signal,
  }: { readonly timeoutMs: number; readonly clock: SessionClock; readonly signal?: AbortSignal },
): Promise<boolean> {
  const look = { happened, press: () => Promise.resolve(false), againMs: timeoutMs, timeoutMs };
  return (await repeatPress(look, clock, signal)).happened;
}
