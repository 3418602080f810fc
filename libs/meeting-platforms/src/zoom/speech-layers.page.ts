import { SpeechDetector } from '../speech-detector.page.ts';
import type { SpeechChange } from '../speech-detector.page.ts';

/** From what is to be believed most to what least. */
export const speechLayers = ['levels', 'active-speaker', 'tiles'] as const;
export type SpeechLayer = (typeof speechLayers)[number];

export interface LayeredChange extends SpeechChange {
  readonly layer: SpeechLayer;
}

/** Levels that are missing this long while somebody is named as the active speaker have stopped working. */
const overruledMs = 3_000;
/** What is heard first waits so long for a better layer to hear it too. */
const patienceMs = 300;
/** A level is said about five times a second, ahead of the audio: speech goes on that much longer than it says. */
const levelHoldMs = 250;
const limits: Readonly<Record<SpeechLayer, { loudLevel: number; quietMs: number }>> = {
  levels: { loudLevel: 1, quietMs: 600 },
  'active-speaker': { loudLevel: 1, quietMs: 400 },
  tiles: { loudLevel: 1, quietMs: 800 },
};

/** Hears with the best layer that works: each says who speaks, one is believed. Pure: time comes with each look. */
export class SpeechLayers {
  readonly #detectors = new Map(speechLayers.map((layer) => [layer, new SpeechDetector(limits[layer])]));
  /** Since when a layer hears somebody without a pause, and when it heard somebody last. */
  readonly #heard = new Map<SpeechLayer, { sinceMs: number; lastMs: number }>();
  #believed: SpeechLayer = 'levels';

  /** Keys that speak, by the layer that is believed. */
  get speaking(): string[] {
    return this.#detectors.get(this.#believed)?.speaking ?? [];
  }

  /** One look at all layers: the keys each hears now. */
  observe(speakers: Readonly<Record<SpeechLayer, readonly string[]>>, nowMs: number): LayeredChange[] {
    for (const layer of speechLayers) {
      if (speakers[layer].length === 0) continue;
      const heard = this.#heard.get(layer);
      const goesOn = heard !== undefined && nowMs - heard.lastMs < limits[layer].quietMs;
      this.#heard.set(layer, { sinceMs: goesOn ? heard.sinceMs : nowMs, lastMs: nowMs });
    }
    const before = this.#believed;
    this.#believed = this.#choose(nowMs);
    const ended = before === this.#believed ? [] : this.#changes(before, this.#detectors.get(before)?.endAll() ?? []);
    const levels = new Map(speakers[this.#believed].map((key) => [key, 1]));
    const changes = this.#detectors.get(this.#believed)?.observe(levels, nowMs) ?? [];
    return [...ended, ...this.#changes(this.#believed, changes)];
  }

  #choose(nowMs: number): SpeechLayer {
    const levels = this.#heard.get('levels');
    if (levels !== undefined) {
      const missing = nowMs - levels.lastMs >= overruledMs && this.#hearsFor('active-speaker', overruledMs, nowMs);
      return missing ? 'active-speaker' : 'levels';
    }
    // A tile stays marked when its participant has fallen silent: tiles only count where no message ever names a speaker.
    const next = this.#heard.has('active-speaker') ? 'active-speaker' : 'tiles';
    return next === this.#believed || this.#hearsFor(next, patienceMs, nowMs) ? next : this.#believed;
  }

  #hearsFor(layer: SpeechLayer, forMs: number, nowMs: number): boolean {
    const heard = this.#heard.get(layer);
    return heard !== undefined && nowMs - heard.lastMs < limits[layer].quietMs && nowMs - heard.sinceMs >= forMs;
  }

  #changes(layer: SpeechLayer, changes: readonly SpeechChange[]): LayeredChange[] {
    const holdMs = layer === 'levels' ? levelHoldMs : 0;
    return changes.map((change) => ({ ...change, atMs: change.atMs + (change.speaking ? 0 : holdMs), layer }));
  }
}
