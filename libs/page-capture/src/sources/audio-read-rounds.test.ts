import { describe, expect, test } from '@jest/globals';
import { SourceClock } from '../media-time.page.ts';
import { AudioReadRounds } from '../audio-capture.page.ts';

const blockMs = 10;

/** A track that gives a block every 10 ms, and a reader of it on a clock that the test advances. */
class Track {
  readonly read: { readonly atMs: number; readonly readAtMs: number; readonly placedMs: number }[] = [];
  nowMs = 0;
  readonly turns = new AudioReadRounds();
  readonly #clock = new SourceClock();
  #requested: (() => void) | null = null;
  #made = 0;

  /** @param stampOf its own time of the block that was made then */
  async run(stampOf: (atMs: number) => number = (atMs) => atMs): Promise<void> {
    for (let next = 0; ; next += 1) {
      const requestedAtMs = this.nowMs;
      if (next >= this.#made) await new Promise<void>((resolve) => (this.#requested = resolve));
      const atMs = next * blockMs;
      const placedMs = this.#clock.toPageMs(stampOf(atMs), this.nowMs);
      this.read.push({ atMs, readAtMs: this.nowMs, placedMs });
      const turn = this.turns.after({ atMs: placedMs, requestedAtMs }, this.nowMs);
      if (turn) await turn;
    }
  }

  /** Advances the time; the reader's round comes every 100 ms. */
  async pass(ms: number): Promise<void> {
    for (const untilMs = this.nowMs + ms; this.nowMs < untilMs;) {
      this.nowMs += 5;
      if (this.nowMs % blockMs === 0) {
        this.#made += 1;
        this.#requested?.();
        this.#requested = null;
      }
      if (this.nowMs % 100 === 0) this.turns.next();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe('readers of sound', () => {
  test('read all that has come in one go, and then nothing until their next turn', async () => {
    const track = new Track();
    void track.run();
    await track.pass(2_000);
    expect(track.read.map(({ atMs }) => atMs)).toEqual(track.read.map((_block, index) => index * blockMs));
    expect(track.read.length).toBeGreaterThan(185);
    const moments = new Set(track.read.map(({ readAtMs }) => readAtMs));
    // Those of 200 blocks that are available at a round's beginning, and the one that was waited for.
    expect(moments.size).toBeLessThan(45);
  });

  test('detect audio, also when its clock restarts between reads', async () => {
    const track = new Track();
    // As at times in Chromium: the very first block has another time.
    void track.run((atMs) => (atMs === 0 ? 7_000_000 : atMs));
    await track.pass(3_000);
    const late = track.read.slice(-20).map(({ atMs, placedMs }) => placedMs - (atMs + blockMs));
    expect(Math.max(...late)).toBeLessThanOrEqual(blockMs);
  });

  test('read everything without waiting once the end has come', async () => {
    const track = new Track();
    void track.run();
    await track.pass(150);
    track.turns.end();
    const before = track.read.length;
    await track.pass(90);
    expect(track.read.length - before).toBeGreaterThanOrEqual(9);
  });
});
