import { SpeechDetector } from '../speech-detector.page.ts';
import type { SpeechChange } from '../speech-detector.page.ts';

/** From the most reliable to the least. */
export const speechLayers = ['levels', 'active-speaker', 'tiles'] as const;
export type SpeechLayer = (typeof speechLayers)[number];

export interface LayeredChange extends SpeechChange {
  readonly layer: SpeechLayer;
}

/** Levels that are absent for this long while the active speaker is set have failed. */
const overruledMs = 3_000;
/** A lower layer waits this long for a better layer to report speech too. */
const betterLayerWaitMs = 300;
/** Levels arrive about five times a second, ahead of the audio: speech continues for this long after its last level. */
const levelHoldMs = 250;
const limits: Readonly<Record<SpeechLayer, { loudLevel: number; quietMs: number }>> = {
  levels: { loudLevel: 1, quietMs: 600 },
  'active-speaker': { loudLevel: 1, quietMs: 400 },
  tiles: { loudLevel: 1, quietMs: 800 },
};

/** Detects speech by the best working layer; one layer counts at a time. Pure: time comes with each sample. */
export class SpeechLayers {
  readonly #detectors = new Map(speechLayers.map((layer) => [layer, new SpeechDetector(limits[layer])]));
  /** Start of continuous speech and last speech of each layer. */
  readonly #speech = new Map<SpeechLayer, { sinceMs: number; lastMs: number }>();
  #believed: SpeechLayer = 'levels';

  /** Keys that speak, from the current layer. */
  get speaking(): string[] {
    return this.#detectors.get(this.#believed)?.speaking ?? [];
  }

  /** One sample of all layers: the keys that speak now. */
  observe(speakers: Readonly<Record<SpeechLayer, readonly string[]>>, nowMs: number): LayeredChange[] {
    for (const layer of speechLayers) {
      if (speakers[layer].length === 0) continue;
      const speech = this.#speech.get(layer);
      const continues = speech !== undefined && nowMs - speech.lastMs < limits[layer].quietMs;
      this.#speech.set(layer, { sinceMs: continues ? speech.sinceMs : nowMs, lastMs: nowMs });
    }
    const before = this.#believed;
    this.#believed = this.#choose(nowMs);
    const ended = before === this.#believed ? [] : this.#changes(before, this.#detectors.get(before)?.endAll() ?? []);
    const levels = new Map(speakers[this.#believed].map((key) => [key, 1]));
    const changes = this.#detectors.get(this.#believed)?.observe(levels, nowMs) ?? [];
    return [...ended, ...this.#changes(this.#believed, changes)];
  }

  #choose(nowMs: number): SpeechLayer {
    const levels = this.#speech.get('levels');
    if (levels !== undefined) {
      const missing = nowMs - levels.lastMs >= overruledMs && this.#hasSpeechFor('active-speaker', overruledMs, nowMs);
      return missing ? 'active-speaker' : 'levels';
    }
    // A tile stays marked when its participant has fallen silent: tiles only count where no message ever names a speaker.
    const next = this.#speech.has('active-speaker') ? 'active-speaker' : 'tiles';
    return next === this.#believed || this.#hasSpeechFor(next, betterLayerWaitMs, nowMs) ? next : this.#believed;
  }

  #hasSpeechFor(layer: SpeechLayer, forMs: number, nowMs: number): boolean {
    const speech = this.#speech.get(layer);
    return speech !== undefined && nowMs - speech.lastMs < limits[layer].quietMs && nowMs - speech.sinceMs >= forMs;
  }

  #changes(layer: SpeechLayer, changes: readonly SpeechChange[]): LayeredChange[] {
    const holdMs = layer === 'levels' ? levelHoldMs : 0;
    return changes.map((change) => ({ ...change, atMs: change.atMs + (change.speaking ? 0 : holdMs), layer }));
  }
}
