import { SpeechDetector } from '../speech-detector.page.ts';
import type { SpeechChange } from '../speech-detector.page.ts';

export type SpeechLayer = 'sources' | 'frames' | 'tiles';

/** The current levels of each layer; null: the layer is absent. */
export interface LayerLevels {
  readonly sources: ReadonlyMap<string, number> | null;
  readonly frames: ReadonlyMap<string, number> | null;
  /** Evaluated last, because it traverses the page. */
  readonly tiles: (() => ReadonlyMap<string, number>) | null;
}

const tilePollMs = 250;
/** Tiles are used only after the sources were silent for this long: tiles lag and flicker. */
const sourcesFreshMs = 2_000;
/** Sources without a level while the frames name a speaker for this long have failed. */
const sourcesFailedAfterMs = 1_500;
const sourceLimits = { loudLevel: 0.01, quietMs: 500 };
const frameLimits = { loudLevel: 1, quietMs: 500 };
const tileLimits = { loudLevel: 1, quietMs: 800 };

/**
 * Detects speech by the best available layer: contributing sources, else the frames of `dcrpc`, else the tiles. Pure.
 */
export class SpeechLayers {
  readonly #notify: (layer: SpeechLayer, changes: readonly SpeechChange[]) => void;
  readonly #sources = new SpeechDetector(sourceLimits);
  readonly #frames = new SpeechDetector(frameLimits);
  readonly #tiles = new SpeechDetector(tileLimits);
  #sourcesActiveAtMs = -Infinity;
  #framesAloneSinceMs: number | null = null;
  #sourcesFailed = false;
  #tilesPolledAtMs = -Infinity;

  constructor(notify: (layer: SpeechLayer, changes: readonly SpeechChange[]) => void) {
    this.#notify = notify;
  }

  /** Keys of the current speakers, in the key space of the layer. */
  speaking(layer: SpeechLayer): readonly string[] {
    if (layer === 'sources') return this.#sources.speaking;
    return layer === 'frames' ? this.#frames.speaking : this.#tiles.speaking;
  }

  /** One poll, about twenty times a second. */
  observe(levels: LayerLevels, nowMs: number): void {
    const sources = levels.sources ?? new Map<string, number>();
    if (sources.size > 0) this.#sourcesActiveAtMs = nowMs;
    this.#notify('sources', this.#sources.observe(sources, nowMs));
    const framesLead = this.#framesLead(levels, nowMs);
    this.#notify('frames', framesLead ? this.#frames.observe(levels.frames!, nowMs) : this.#frames.endAll());
    this.#observeTiles(levels, nowMs);
  }

  /** The frames are complete at every moment, so they lead only after the sources have failed. */
  #framesLead({ sources, frames }: LayerLevels, nowMs: number): boolean {
    if (frames === null) {
      this.#framesAloneSinceMs = null;
      return false;
    }
    if (sources === null) return true;
    if (sources.size > 0) this.#sourcesFailed = false;
    const alone = frames.size > 0 && nowMs - this.#sourcesActiveAtMs > sourcesFailedAfterMs;
    this.#framesAloneSinceMs = alone ? (this.#framesAloneSinceMs ?? nowMs) : null;
    if (this.#framesAloneSinceMs !== null && nowMs - this.#framesAloneSinceMs >= sourcesFailedAfterMs)
      this.#sourcesFailed = true;
    return this.#sourcesFailed;
  }

  #observeTiles({ frames, tiles }: LayerLevels, nowMs: number): void {
    if (tiles === null) return;
    if (frames !== null || nowMs - this.#sourcesActiveAtMs < sourcesFreshMs) {
      this.#notify('tiles', this.#tiles.endAll());
    } else if (nowMs - this.#tilesPolledAtMs >= tilePollMs) {
      this.#tilesPolledAtMs = nowMs;
      this.#notify('tiles', this.#tiles.observe(tiles(), nowMs));
    }
  }
}
