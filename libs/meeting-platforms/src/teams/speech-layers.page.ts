import { SpeechDetector } from '../speech-detector.page.ts';
import type { SpeechChange } from '../speech-detector.page.ts';
import { createSpeechMeter } from '../web-client/media-offer.page.ts';
import type { RemoteTrack } from '../web-client/media-offer.page.ts';

interface DominantSpeechLimits {
  /** A shorter pause is part of the turn. */
  readonly quietMs: number;
  /** Longest pause between two speakers. */
  readonly gapMs: number;
  /** Longest time from the report of a new dominant speaker until its audio is played. */
  readonly settleMs: number;
}

/**
 * Joins two layers into turns: the channel reports the dominant speaker, the level of the mix reports speech. The
 * channel is ahead of the audio, which is buffered, so a new name begins with the first audio after a gap. Pure: time
 * comes with each call.
 */
export class DominantSpeech {
  readonly #limits: DominantSpeechLimits;
  #dominant: string | null = null;
  #next: { readonly id: string; readonly atMs: number } | null = null;
  #open: { readonly key: string; lastLoudMs: number } | null = null;

  constructor(limits: DominantSpeechLimits) {
    this.#limits = limits;
  }

  /** The dominant speaker of the audio that is played now. */
  get dominant(): string | null {
    return this.#dominant ?? this.#next?.id ?? null;
  }

  get speaking(): string | null {
    return this.#open?.key ?? null;
  }

  /** The channel names a dominant speaker. */
  dominates(id: string, atMs: number): void {
    this.#next = id === this.#dominant ? null : { id, atMs };
  }

  /** One sample of the level of the mix. Returns the speech that began and ended. */
  addSample(loud: boolean, atMs: number): SpeechChange[] {
    this.#switchTo(loud, atMs);
    const changes: SpeechChange[] = [];
    const open = this.#open;
    const over = open !== null && (open.key !== this.#dominant || atMs - open.lastLoudMs >= this.#limits.quietMs);
    if (over) changes.push(...this.end());
    if (!loud || this.#dominant === null) return changes;
    if (this.#open === null) {
      this.#open = { key: this.#dominant, lastLoudMs: atMs };
      changes.push({ key: this.#dominant, speaking: true, atMs });
    }
    this.#open.lastLoudMs = atMs;
    return changes;
  }

  /** Ends the open turn, e.g. because another layer takes over. */
  end(): SpeechChange[] {
    const open = this.#open;
    this.#open = null;
    return open === null ? [] : [{ key: open.key, speaking: false, atMs: open.lastLoudMs }];
  }

  #switchTo(loud: boolean, atMs: number): void {
    if (this.#next === null) return;
    const { gapMs, settleMs } = this.#limits;
    const inGap = this.#open === null || (!loud && atMs - this.#open.lastLoudMs >= gapMs);
    if (this.#dominant !== null && !inGap && atMs - this.#next.atMs < settleMs) return;
    this.#dominant = this.#next.id;
    this.#next = null;
  }
}

const statsEveryMs = 200;
/** Sources that are silent this long while packets come give no levels in this browser. */
const levelsMissingAfterMs = 3_000;

/**
 * The current level of the mix, 0..1. The level in the packets is exact and costs nothing; where it is always zero, the
 * energy of the played audio is used, in steps of a fifth of a second.
 */
class AudioLevel {
  #lastTimestamp: number | null = null;
  #packetsSinceMs: number | null = null;
  #hasLevels = false;
  #requestedAtMs = 0;
  #played: { readonly energy: number; readonly seconds: number } | null = null;
  #statsLevel = 0;

  /** Call often: audio between two calls is not measured. */
  read({ receiver }: RemoteTrack, nowMs: number): number {
    const [source] = receiver.getSynchronizationSources();
    const fresh = source !== undefined && source.timestamp !== this.#lastTimestamp;
    this.#lastTimestamp = source?.timestamp ?? null;
    const level = fresh ? (source.audioLevel ?? 0) : 0;
    if (level > 0) this.#hasLevels = true;
    if (fresh) this.#packetsSinceMs ??= nowMs;
    if (this.#hasLevels || this.#packetsSinceMs === null || nowMs - this.#packetsSinceMs < levelsMissingAfterMs)
      return level;
    if (nowMs - this.#requestedAtMs >= statsEveryMs) {
      this.#requestedAtMs = nowMs;
      void this.#requestStats(receiver);
    }
    return this.#statsLevel;
  }

  async #requestStats(receiver: RTCRtpReceiver): Promise<void> {
    const report = await receiver.getStats().catch(() => null);
    report?.forEach((entry: { type: string; totalAudioEnergy?: number; totalSamplesDuration?: number }) => {
      if (entry.type !== 'inbound-rtp') return;
      const played = { energy: entry.totalAudioEnergy ?? 0, seconds: entry.totalSamplesDuration ?? 0 };
      const before = this.#played;
      this.#played = played;
      const seconds = played.seconds - (before?.seconds ?? played.seconds);
      this.#statsLevel = before === null || seconds <= 0 ? 0 : Math.sqrt((played.energy - before.energy) / seconds);
    });
  }
}

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
export interface SpeechInputs {
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
  readonly #inputs: SpeechInputs;
  readonly #layers: TeamsSpeechLayers;
  readonly #notify: (speech: TeamsSpeech) => void;
  readonly #readSourceLevels = createSpeechMeter();
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

  constructor(inputs: SpeechInputs, layers: TeamsSpeechLayers, notify: (speech: TeamsSpeech) => void) {
    this.#inputs = inputs;
    this.#layers = layers;
    this.#notify = notify;
  }

  dominates(streamId: string, atMs: number): void {
    if (this.#layers.dominantSpeaker) this.#dominant.dominates(streamId, atMs);
  }

  /** Names of the current speakers, where known. */
  speaking(): string[] {
    const streams = [...this.#sources.speaking, this.#dominant.speaking].filter((id) => id !== null);
    return [...streams.flatMap((id) => this.#inputs.nameOf(id) ?? []), ...this.#outlines.speaking];
  }

  poll(nowMs: number): void {
    const mix = this.#inputs.mix();
    if (mix === null) return this.#endAll();
    const loud = this.#level.read(mix, nowMs) >= mixLimits.loudLevel;
    const sourceLevels = this.#layers.contributingSources ? this.#readSourceLevels([mix]) : new Map<string, number>();
    if (sourceLevels.size > 0) this.#sourcesFreshAtMs = nowMs;
    this.#report('sources', this.#sources.observe(this.#present(sourceLevels, loud), nowMs));
    const bySources = nowMs - this.#sourcesFreshAtMs < sourcesFreshMs;
    const turns = this.#dominant.addSample(loud, nowMs);
    const dominant = this.#dominant.dominant;
    const byDominant = !bySources && dominant !== null && this.#inputs.nameOf(dominant) !== undefined;
    const ends = turns.filter(({ speaking }) => !speaking);
    this.#report('dominant', byDominant ? turns : [...ends, ...this.#dominant.end()]);
    const byOutlines = !bySources && !byDominant;
    this.#pollOutlines(byOutlines, nowMs);
    this.#pollUnknown(byOutlines && loud, nowMs);
  }

  #endAll(): void {
    this.#report('sources', this.#sources.endAll());
    this.#report('dominant', this.#dominant.end());
    this.#report('outlines', this.#outlines.endAll());
    this.#report('mix', this.#mix.endAll());
  }

  /** Some browsers give every source of a mix the level zero: being named while the mix is loud is enough then. */
  #present(sourceLevels: ReadonlyMap<string, number>, loud: boolean): Map<string, number> {
    const levelless = [...sourceLevels.values()].every((level) => level === 0);
    return new Map([...sourceLevels].map(([key, level]) => [key, levelless && loud ? 1 : level]));
  }

  #pollOutlines(wanted: boolean, nowMs: number): void {
    if (!wanted || !this.#layers.outlines) return this.#report('outlines', this.#outlines.endAll());
    if (nowMs - this.#outlinesPolledAtMs < outlinePollMs) return;
    this.#outlinesPolledAtMs = nowMs;
    const names = this.#inputs.outlined() ?? [];
    this.#report('outlines', this.#outlines.observe(new Map(names.map((name) => [name, 1])), nowMs));
  }

  #pollUnknown(loud: boolean, nowMs: number): void {
    const placed = this.#outlines.speaking.length > 0;
    if (!loud || placed) this.#unplacedSinceMs = null;
    else this.#unplacedSinceMs ??= nowMs;
    if (placed) return this.#report('mix', this.#mix.endAll());
    const since = this.#unplacedSinceMs;
    const unknown = since !== null && (this.#mix.speaking.length > 0 || nowMs - since >= outlineLateMs);
    const levels = new Map(unknown ? [['mix', 1] as const] : []);
    this.#report(
      'mix',
      this.#mix.observe(levels, nowMs).map((change) => this.#since(change, since)),
    );
  }

  /** Unknown speech begins with its first audio, not when its attribution was given up. */
  #since(change: SpeechChange, sinceMs: number | null): SpeechChange {
    return change.speaking && sinceMs !== null ? { ...change, atMs: sinceMs } : change;
  }

  #report(layer: TeamsSpeech['layer'], changes: readonly SpeechChange[]): void {
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
