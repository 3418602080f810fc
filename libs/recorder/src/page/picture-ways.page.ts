import type { PictureCounts, PictureWay } from './picture-way.page.ts';
import { noPictureCounts } from './picture-way.page.ts';

export interface PictureWaysPorts {
  deliver(timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void;
  describe(description: Uint8Array): void;
}

/** What a way is made with to deliver through `PictureWays`. */
export type PictureDoor = Pick<PictureWaysPorts, 'deliver' | 'describe'>;

/**
 * Holds the ways of one capture and lets one of them through. A way that is to take over begins beside the one before,
 * which goes on until the first key frame of its successor: the recording is never without a picture in between.
 */
export class PictureWays {
  readonly #ports: PictureWaysPorts;
  readonly #ways = new Set<PictureWay>();
  #current: PictureWay | null = null;
  #next: PictureWay | null = null;
  /** What the next way described so far: it holds once that way delivers. */
  #nextDescription: Uint8Array | null = null;
  #lastUs = -1;

  constructor(ports: PictureWaysPorts) {
    this.#ports = ports;
  }

  /** Makes a way that delivers through a door of its own. */
  add<Way extends PictureWay>(make: (door: PictureDoor) => Way): Way {
    const mine = (): PictureWay => way;
    const way = make({
      deliver: (timeUs, key, bytes) => this.#deliver(mine(), timeUs, key, bytes),
      describe: (description) => this.#describe(mine(), description),
    });
    this.#ways.add(way);
    return way;
  }

  get current(): PictureWay | null {
    return this.#current;
  }

  turnTo(way: PictureWay): void {
    if (way === (this.#next ?? this.#current)) return;
    this.#next?.leave();
    this.#next = null;
    this.#nextDescription = null;
    if (way === this.#current) return;
    if (this.#current === null) this.#current = way;
    else this.#next = way;
    way.begin();
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
    await Promise.all([...this.#ways].map((way) => way.finish(endMs)));
  }

  /** Of the way that is to deliver. */
  get shownFrameAtMs(): number | null {
    return (this.#next ?? this.#current)?.shownFrameAtMs ?? null;
  }

  /** Of all ways together. */
  counts(): PictureCounts {
    const sums = noPictureCounts();
    for (const { counts } of this.#ways)
      for (const name of Object.keys(sums) as (keyof PictureCounts)[]) sums[name] += counts[name];
    return sums;
  }

  #deliver(way: PictureWay, timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void {
    if (way === this.#next && key) this.#takeOver(way);
    if (way !== this.#current) return;
    // A way that takes over may begin with what it kept of the moments before.
    this.#lastUs = Math.max(timeUs, this.#lastUs + 1);
    this.#ports.deliver(this.#lastUs, key, bytes);
  }

  #describe(way: PictureWay, description: Uint8Array): void {
    if (way === this.#current) this.#ports.describe(description);
    else if (way === this.#next) this.#nextDescription = description;
  }

  #takeOver(way: PictureWay): void {
    this.#current?.leave();
    this.#current = way;
    this.#next = null;
    if (this.#nextDescription) this.#ports.describe(this.#nextDescription);
    this.#nextDescription = null;
  }
}
