import type { VideoCounts, VideoStrategy } from './video-strategy.page.ts';
import { noVideoCounts } from './video-strategy.page.ts';

export interface VideoStrategiesPorts {
  deliver(timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void;
  describe(description: Uint8Array): void;
}

/**
 * Holds the strategies of one capture and forwards one of them. A strategy that takes over begins beside the one
 * before, which continues until the first key frame of its successor: the recording is never without video in between.
 */
export class VideoStrategies {
  readonly #ports: VideoStrategiesPorts;
  readonly #strategies = new Set<VideoStrategy>();
  #current: VideoStrategy | null = null;
  #next: VideoStrategy | null = null;
  /** The latest description of the next strategy: applied once it delivers. */
  #nextDescription: Uint8Array | null = null;
  #lastUs = -1;

  constructor(ports: VideoStrategiesPorts) {
    this.#ports = ports;
  }

  /** Creates a strategy that delivers through an output of its own. */
  add<Strategy extends VideoStrategy>(make: (outlet: VideoStrategiesPorts) => Strategy): Strategy {
    const mine = (): VideoStrategy => strategy;
    const strategy = make({
      deliver: (timeUs, key, bytes) => this.#deliver(mine(), timeUs, key, bytes),
      describe: (description) => this.#describe(mine(), description),
    });
    this.#strategies.add(strategy);
    return strategy;
  }

  get current(): VideoStrategy | null {
    return this.#current;
  }

  /** The one that is to deliver. */
  get wanted(): VideoStrategy | null {
    return this.#next ?? this.#current;
  }

  switchTo(strategy: VideoStrategy): void {
    if (strategy === this.wanted) return;
    this.#next?.leave();
    this.#next = null;
    this.#nextDescription = null;
    if (strategy === this.#current) return;
    if (this.#current === null) this.#current = strategy;
    else this.#next = strategy;
    strategy.begin();
  }

  tick(): void {
    this.#current?.tick();
    this.#next?.tick();
  }

  wantKey(): void {
    this.#current?.wantKey();
    this.#next?.wantKey();
  }

  async settle(): Promise<void> {
    await Promise.all([this.#current?.settle(), this.#next?.settle()]);
  }

  async finish(endMs: number): Promise<void> {
    await Promise.all([...this.#strategies].map((strategy) => strategy.finish(endMs)));
  }

  /** The time of the strategy that is to deliver. */
  get shownFrameAtMs(): number | null {
    return this.wanted?.shownFrameAtMs ?? null;
  }

  /** The sums of all strategies. */
  counts(): VideoCounts {
    const sums = noVideoCounts();
    for (const { counts } of this.#strategies)
      for (const name of Object.keys(sums) as (keyof VideoCounts)[]) sums[name] += counts[name];
    return sums;
  }

  #deliver(strategy: VideoStrategy, timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void {
    if (strategy === this.#next && key) this.#takeOver(strategy);
    if (strategy !== this.#current) return;
    // A strategy that takes over may begin with earlier frames.
    this.#lastUs = Math.max(timeUs, this.#lastUs + 1);
    this.#ports.deliver(this.#lastUs, key, bytes);
  }

  #describe(strategy: VideoStrategy, description: Uint8Array): void {
    if (strategy === this.#current) this.#ports.describe(description);
    else if (strategy === this.#next) this.#nextDescription = description;
  }

  #takeOver(strategy: VideoStrategy): void {
    this.#current?.leave();
    this.#current = strategy;
    this.#next = null;
    if (this.#nextDescription) this.#ports.describe(this.#nextDescription);
    this.#nextDescription = null;
  }
}
