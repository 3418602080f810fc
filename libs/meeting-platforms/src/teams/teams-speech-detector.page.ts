import { SpeechDetector } from '../speech-detector.page.ts';
import type { SpeechChange } from '../speech-detector.page.ts';
import { createSpeechMeter } from '../web-client/remote-tracks.page.ts';
import type { RemoteTrack } from '../web-client/remote-tracks.page.ts';
import { DominantSpeech } from './dominant-speech.page.ts';
import { AudioLevel } from './audio-level.page.ts';

/** Disables single signal layers, to test the others. */
export interface TeamsSpeechLayers {
  readonly contributingSources: boolean;
  readonly dominantSpeaker: boolean;
  readonly outlines: boolean;
}

export interface TeamsSpeech extends SpeechChange {
  readonly layer: 'sources' | 'dominant' | 'outlines' | 'mix';
}

/** The page's inputs of speech detection. */
export interface TeamsEars {
  mix(): RemoteTrack | null;
  /** Names on tiles whose outline shows speech; null while no tile has an outline. */
  outlined(): readonly string[] | null;
  /** The speaker's name of a stream; undefined: unknown. */
  nameOf(streamId: string): string | undefined;
}

const sourceLimits = { loudLevel: 0.01, quietMs: 500 };
const outlineLimits = { loudLevel: 1, quietMs: 800 };
const mixLimits = { loudLevel: 0.01, quietMs: 500 };
const dominantLimits = { quietMs: 500, gapMs: 120, settleMs: 250 };
const outlinePollMs = 100;
/** Other layers are used only after the sources were silent for this long. */
const sourcesFreshMs = 2_000;
/** Maximum delay of an outline after its speech; until then speech is not reported as unknown. */
const outlineLateMs = 600;

/** Speech begins this long before it reaches the level of detection, and is detected one poll late. */
const onsetMs = 100;

/**
 * Detects speakers by the best available layer: sources of the mix, the dominant speaker of the channel joined with the
 * level of the mix, outlines of tiles. Audio that no layer attributes is unknown speech.
 */
export class TeamsSpeechDetector {
  readonly #ears: TeamsEars;
  readonly #layers: TeamsSpeechLayers;
  readonly #notify: (speech: TeamsSpeech) => void;
  readonly #sourcesHeard = createSpeechMeter();
  readonly #sources = new SpeechDetector(sourceLimits);
  readonly #outlines = new SpeechDetector(outlineLimits);
  readonly #mix = new SpeechDetector(mixLimits);
  readonly #dominant = new DominantSpeech(dominantLimits);
  readonly #level = new AudioLevel();
  #sourcesFreshAtMs = -Infinity;
  #outlinesPolledAtMs = 0;
  #unplacedSinceMs: number | null = null;
  #lastEndMs = -Infinity;
  /** The reported open turns. */
  readonly #open = new Set<string>();

  constructor(ears: TeamsEars, layers: TeamsSpeechLayers, notify: (speech: TeamsSpeech) => void) {
    this.#ears = ears;
    this.#layers = layers;
    this.#notify = notify;
  }

  dominates(streamId: string, atMs: number): void {
    if (this.#layers.dominantSpeaker) this.#dominant.dominates(streamId, atMs);
  }

  /** Names of the current speakers, where known. */
  speaking(): string[] {
    const streams = [...this.#sources.speaking, this.#dominant.speaking].filter((id) => id !== null);
    return [...streams.flatMap((id) => this.#ears.nameOf(id) ?? []), ...this.#outlines.speaking];
  }

  poll(nowMs: number): void {
    const mix = this.#ears.mix();
    if (mix === null) return this.#endAll();
    const loud = this.#level.read(mix, nowMs) >= mixLimits.loudLevel;
    const heard = this.#layers.contributingSources ? this.#sourcesHeard([mix]) : new Map<string, number>();
    if (heard.size > 0) this.#sourcesFreshAtMs = nowMs;
    this.#say('sources', this.#sources.observe(this.#present(heard, loud), nowMs));
    const bySources = nowMs - this.#sourcesFreshAtMs < sourcesFreshMs;
    const turns = this.#dominant.hear(loud, nowMs);
    const dominant = this.#dominant.dominant;
    const byDominant = !bySources && dominant !== null && this.#ears.nameOf(dominant) !== undefined;
    const ends = turns.filter(({ speaking }) => !speaking);
    this.#say('dominant', byDominant ? turns : [...ends, ...this.#dominant.end()]);
    const byOutlines = !bySources && !byDominant;
    this.#pollOutlines(byOutlines, nowMs);
    this.#pollUnknown(byOutlines && loud, nowMs);
  }

  #endAll(): void {
    this.#say('sources', this.#sources.endAll());
    this.#say('dominant', this.#dominant.end());
    this.#say('outlines', this.#outlines.endAll());
    this.#say('mix', this.#mix.endAll());
  }

  /** Some browsers give every source of a mix the level zero: being named while the mix is loud is enough then. */
  #present(heard: ReadonlyMap<string, number>, loud: boolean): Map<string, number> {
    const levelless = [...heard.values()].every((level) => level === 0);
    return new Map([...heard].map(([key, level]) => [key, levelless && loud ? 1 : level]));
  }

  #pollOutlines(wanted: boolean, nowMs: number): void {
    if (!wanted || !this.#layers.outlines) return this.#say('outlines', this.#outlines.endAll());
    if (nowMs - this.#outlinesPolledAtMs < outlinePollMs) return;
    this.#outlinesPolledAtMs = nowMs;
    const names = this.#ears.outlined() ?? [];
    this.#say('outlines', this.#outlines.observe(new Map(names.map((name) => [name, 1])), nowMs));
  }

  #pollUnknown(loud: boolean, nowMs: number): void {
    const placed = this.#outlines.speaking.length > 0;
    if (!loud || placed) this.#unplacedSinceMs = null;
    else this.#unplacedSinceMs ??= nowMs;
    if (placed) return this.#say('mix', this.#mix.endAll());
    const since = this.#unplacedSinceMs;
    const unknown = since !== null && (this.#mix.speaking.length > 0 || nowMs - since >= outlineLateMs);
    const levels = new Map(unknown ? [['mix', 1] as const] : []);
    this.#say(
      'mix',
      this.#mix.observe(levels, nowMs).map((change) => this.#since(change, since)),
    );
  }

  /** Unknown speech begins with its first audio, not when its attribution was given up. */
  #since(change: SpeechChange, sinceMs: number | null): SpeechChange {
    return change.speaking && sinceMs !== null ? { ...change, atMs: sinceMs } : change;
  }

  #say(layer: TeamsSpeech['layer'], changes: readonly SpeechChange[]): void {
    for (const change of changes) {
      const turn = `${layer} ${change.key}`;
      if (change.speaking === this.#open.has(turn)) continue;
      if (change.speaking) this.#open.add(turn);
      else this.#open.delete(turn);
      if (!change.speaking) this.#lastEndMs = Math.max(this.#lastEndMs, change.atMs);
      const byAudio = change.speaking && layer !== 'outlines';
      const atMs = byAudio ? Math.max(change.atMs - onsetMs, Math.min(this.#lastEndMs, change.atMs)) : change.atMs;
      this.#notify({ layer, ...change, atMs });
    }
  }
}
