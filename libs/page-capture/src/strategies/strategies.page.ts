import type { MissingVideoReason, StrategyReason, VideoStrategyName } from '@rapporteur/contracts';

/** The inputs for choosing a strategy of the video. Times are on one clock, in milliseconds. */
export interface VideoSigns {
  readonly nowMs: number;
  /** The offered video; null: none. Another id is a reason to retry failed strategies. */
  readonly offeredId: string | null;
  /** The offered track is live and not muted, so that frames may be expected of it. */
  readonly live: boolean;
  /** False when the track's frames are unavailable: a tainted canvas, a track that cannot be read. */
  readonly readable: boolean;
  /** Time of the last frame by the current strategy; null until the first of the current video. */
  readonly frameAtMs: number | null;
  /** Beginning of the current video by the current strategy. */
  readonly shownSinceMs: number;
  readonly blackSinceMs: number | null;
  /** The page paints frames of others, whatever its source offers. */
  readonly seen: boolean;
  /** The offered video moves in the page. */
  readonly seenMoving: boolean;
  /** The offered video is not black in the page. */
  readonly seenBright: boolean;
  /** Strategies that are unavailable on this page now. */
  readonly refused: ReadonlySet<VideoStrategyName>;
}

export interface VideoSwitch {
  readonly from: VideoStrategyName | null;
  readonly to: VideoStrategyName;
  readonly reason: StrategyReason;
}

/** How long a problem must last before a strategy is left. */
export const complaintMs = {
  /** Where the page shows any frame; where it shows the offered one moving, `noFrames` applies. */
  noFirstFrame: 3_000,
  noFrames: 1_500,
  black: 3_000,
  /** Sources lag behind the page when participants join; a lost offer is acted on sooner. */
  notOffered: 2_500,
  offerLost: 700,
  notReadable: 400,
  tabNoFrames: 5_000,
} as const;
/** Backoff of a failed strategy before it is tried again; doubles with each failure. */
const strategyBackoffMs = 60_000;
const strategyBackoffMaxMs = 600_000;
/** A frame that is offered again counts after this time. */
const offeredAgainMs = 2_000;
/** Where only the offer was missing: the shortest hold, to avoid flapping. */
const strategyHoldMinMs = 10_000;
/** A shorter interruption of an offer is ignored. */
const justNowMs = 1_000;

interface Failure {
  readonly reason: StrategyReason;
  readonly offeredId: string | null;
  readonly untilMs: number;
  readonly times: number;
}

/** Chooses the strategy for the video: the cheapest that works, and the next when it does not. Pure but for its memory. */
export class StrategyChooser {
  readonly #order: readonly VideoStrategyName[];
  readonly #pinned: boolean;
  readonly #failures = new Map<VideoStrategyName, Failure>();
  #current: VideoStrategyName | null = null;
  #switchedAtMs = -Infinity;
  #complaint: { reason: MissingVideoReason; sinceMs: number } | null = null;
  /** Why the video of the page is not recorded, at the last choice; null: it is, or the page shows none. */
  missing: MissingVideoReason | null = null;
  #offeredSinceMs: number | null = null;
  #offeredAtMs = -Infinity;

  /** @param order the cheapest first */
  constructor(order: readonly VideoStrategyName[], pinned: VideoStrategyName | 'auto') {
    this.#pinned = pinned !== 'auto' && order.includes(pinned);
    this.#order = this.#pinned
      ? [pinned as VideoStrategyName, ...order.filter((strategy) => strategy !== pinned)]
      : order;
  }

  get current(): VideoStrategyName | null {
    return this.#current;
  }

  /** Null: no switch. */
  choose(signs: VideoSigns): VideoSwitch | null {
    this.#followOffer(signs);
    if (this.#current === null) return this.#begin(signs);
    const wrong = this.#wrong(this.#current, signs);
    if (wrong !== null) return this.#leave(wrong, signs);
    return this.#climb(signs);
  }

  #begin(signs: VideoSigns): VideoSwitch | null {
    const strategy = this.#order.find((one) => !signs.refused.has(one));
    if (strategy === undefined) return null;
    return this.#switchStrategy(
      strategy,
      strategy !== this.#order[0] ? 'refused' : this.#pinned ? 'pinned' : 'chosen',
      signs.nowMs,
    );
  }

  /** The problem of the current strategy, once it has lasted long enough. */
  #wrong(strategy: VideoStrategyName, signs: VideoSigns): StrategyReason | null {
    const found = complaintOf(strategy, signs);
    this.missing = found?.reason ?? null;
    if (signs.refused.has(strategy)) return 'refused';
    if (found === null) {
      this.#complaint = null;
      return null;
    }
    const known = this.#complaint;
    const complaint = known?.reason === found.reason ? known : { reason: found.reason, sinceMs: signs.nowMs };
    this.#complaint = complaint;
    const lost = found.reason === 'not_offered' && complaint.sinceMs - this.#offeredAtMs <= justNowMs;
    const lastsMs = lost ? complaintMs.offerLost : found.lastsMs;
    return signs.nowMs - complaint.sinceMs >= lastsMs ? found.reason : null;
  }

  #leave(reason: StrategyReason, signs: VideoSigns): VideoSwitch | null {
    const from = this.#current;
    if (from === null) return null;
    // Without an offer no strategy that needs one helps.
    const helps = (strategy: VideoStrategyName): boolean => reason !== 'not_offered' || strategy === 'tab';
    const possible = this.#order.filter(
      (strategy) => strategy !== from && !signs.refused.has(strategy) && helps(strategy),
    );
    const strategy = possible.find((one) => !this.#rests(one, signs.nowMs)) ?? this.#leastBad(possible, reason);
    if (strategy === undefined) return null;
    const times = (this.#failures.get(from)?.times ?? 0) + 1;
    const untilMs = signs.nowMs + Math.min(strategyBackoffMaxMs, strategyBackoffMs * 2 ** (times - 1));
    this.#failures.set(from, { reason, offeredId: signs.offeredId, untilMs, times });
    return this.#switchStrategy(strategy, reason, signs.nowMs);
  }

  /** Every other strategy has failed too: an unavailable strategy must be left, a degraded one stays. */
  #leastBad(possible: readonly VideoStrategyName[], reason: StrategyReason): VideoStrategyName | undefined {
    return reason === 'refused' ? possible[0] : undefined;
  }

  #climb(signs: VideoSigns): VideoSwitch | null {
    const current = this.#order.indexOf(this.#current ?? 'tracks');
    const strategy = this.#order.find((one, index) => index < current && this.#worthTrying(one, signs));
    if (strategy === undefined) return null;
    const reason = this.#failures.get(strategy)?.reason === 'not_offered' ? 'offered_again' : 'tried_again';
    return this.#switchStrategy(strategy, reason, signs.nowMs);
  }

  #worthTrying(strategy: VideoStrategyName, signs: VideoSigns): boolean {
    if (signs.refused.has(strategy) || signs.offeredId === null || !signs.live || !signs.readable) return false;
    const failure = this.#failures.get(strategy);
    const stayMs = signs.nowMs - this.#switchedAtMs;
    // It was unavailable before, and no failure is recorded now.
    if (failure === undefined) return stayMs >= offeredAgainMs;
    if (failure.reason === 'not_offered' && this.#offeredSinceMs !== null) {
      const offeredMs = signs.nowMs - this.#offeredSinceMs;
      return offeredMs >= offeredAgainMs && stayMs >= Math.min(strategyBackoffMaxMs, strategyHoldMinMs * failure.times);
    }
    return !this.#rests(strategy, signs.nowMs) && stayMs >= strategyBackoffMs && signs.offeredId !== failure.offeredId;
  }

  #rests(strategy: VideoStrategyName, nowMs: number): boolean {
    return nowMs < (this.#failures.get(strategy)?.untilMs ?? -Infinity);
  }

  #followOffer({ offeredId, live, nowMs }: VideoSigns): void {
    if (offeredId !== null) this.#offeredAtMs = nowMs;
    if (offeredId === null || !live) this.#offeredSinceMs = null;
    else this.#offeredSinceMs ??= nowMs;
  }

  #switchStrategy(to: VideoStrategyName, reason: StrategyReason, nowMs: number): VideoSwitch {
    const from = this.#current;
    this.#current = to;
    this.#switchedAtMs = nowMs;
    this.#complaint = null;
    return { from, to, reason };
  }
}

/** The current complaint, and how long it must last. */
function complaintOf(
  strategy: VideoStrategyName,
  signs: VideoSigns,
): { reason: MissingVideoReason; lastsMs: number } | null {
  const { nowMs, offeredId, live, readable, frameAtMs, shownSinceMs, seen } = signs;
  const silentMs = nowMs - Math.max(frameAtMs ?? -Infinity, shownSinceMs);
  if (strategy === 'tab') {
    const none = frameAtMs === null && silentMs >= complaintMs.tabNoFrames;
    return none ? { reason: 'no_frames', lastsMs: 0 } : null;
  }
  if (offeredId === null) return seen ? { reason: 'not_offered', lastsMs: complaintMs.notOffered } : null;
  if (!readable) return { reason: 'not_readable', lastsMs: complaintMs.notReadable };
  if (!live) return null;
  if (frameAtMs === null && seen && silentMs >= complaintMs.noFirstFrame) return { reason: 'no_frames', lastsMs: 0 };
  if (signs.seenMoving && silentMs >= complaintMs.noFrames) return { reason: 'no_frames', lastsMs: 0 };
  if (signs.blackSinceMs !== null && signs.seenBright) return { reason: 'black', lastsMs: complaintMs.black };
  return null;
}
