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

const mostPresses = 3;
/** A dialog that was not shown for this long is a new one. */
const forgottenMs = 30_000;

/** The presses of dialogs, so that one that stays is left alone. */
export class DialogPresses {
  readonly #shown = new Map<string, { presses: number; shownAtMs: number }>();

  /**
   * To be called whenever the dialog is shown; a number in its text, as of a countdown, does not make it another one.
   * `stays`: its presses are used up, for the first time.
   */
  show(
    dialog: string,
    nowMs: number,
  ): { readonly may: boolean; readonly stays: boolean; readonly pressed: () => void } {
    for (const [key, { shownAtMs }] of this.#shown) if (nowMs - shownAtMs >= forgottenMs) this.#shown.delete(key);
    const key = dialog.slice(0, 120).replaceAll(/\d+/g, '#');
    const shown = this.#shown.get(key) ?? { presses: 0, shownAtMs: nowMs };
    this.#shown.set(key, shown);
    shown.shownAtMs = nowMs;
    const stays = shown.presses === mostPresses;
    if (stays) shown.presses += 1;
    return { may: shown.presses < mostPresses, stays, pressed: () => void (shown.presses += 1) };
  }
}
