import type { PictureCounts, PictureWay } from './picture-way.page.ts';
import { noPictureCounts } from './picture-way.page.ts';

export interface PictureWaysPorts {
  deliver(timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void;
  describe(description: Uint8Array): void;
}

/** What a way is made with to deliver through `PictureWays`. */
export interface PictureDoor extends PictureWaysPorts {
  /** A way that is to take over has its first picture, which will be delivered when this moment comes. */
  announce(timeUs: number): void;
}

/** A picture that was announced and is so late does not come. */
const announcedHoldsUs = 1_000_000;

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
  /** From here on the next way has pictures: those of the way before would be seen twice, or out of turn. */
  #announcedUs = Infinity;
  /** Pictures of the way that goes on were left out: those after them need a key frame. */
  #leftOut = false;
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
      announce: (timeUs) => {
        if (mine() === this.#next) this.#announcedUs = Math.min(this.#announcedUs, timeUs);
      },
    });
    this.#ways.add(way);
    return way;
  }

  get current(): PictureWay | null {
    return this.#current;
  }

  /** Which is to deliver. */
  get wanted(): PictureWay | null {
    return this.#next ?? this.#current;
  }

  turnTo(way: PictureWay): void {
    if (way === this.wanted) return;
    this.#next?.leave();
    this.#next = null;
    this.#nextDescription = null;
    this.#announcedUs = Infinity;
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
    return this.wanted?.shownFrameAtMs ?? null;
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
    if (this.#leavesOut(timeUs, key)) return;
    // A way that takes over may begin with what it kept of the moments before.
    this.#lastUs = Math.max(timeUs, this.#lastUs + 1);
    this.#ports.deliver(this.#lastUs, key, bytes);
  }

  #leavesOut(timeUs: number, key: boolean): boolean {
    const announced = timeUs >= this.#announcedUs && timeUs < this.#announcedUs + announcedHoldsUs;
    if (!announced && this.#leftOut && !key) this.#current?.wantKey();
    this.#leftOut = announced || (this.#leftOut && !key);
    return this.#leftOut;
  }

  #describe(way: PictureWay, description: Uint8Array): void {
    if (way === this.#current) this.#ports.describe(description);
    else if (way === this.#next) this.#nextDescription = description;
  }

  #takeOver(way: PictureWay): void {
    this.#current?.leave();
    this.#current = way;
    this.#next = null;
    this.#announcedUs = Infinity;
    this.#leftOut = false;
    if (this.#nextDescription) this.#ports.describe(this.#nextDescription);
    this.#nextDescription = null;
  }
}
