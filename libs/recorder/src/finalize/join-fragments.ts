import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { readAvcC } from '../fragments/init-segment.ts';
import { movedFragment, readFragment } from '../fragments/media-fragment.ts';
import type { FragmentReading } from '../fragments/media-fragment.ts';
import type { RecordingGap, RecordingPause } from '../recorder-ports.ts';

/** What one runner recorded, as far as it got. */
export interface RecordingAttempt {
  /** Path of the beginning of the file. */
  readonly init: string;
  /** In any order. A sequence number that is missing is a piece that was lost. */
  readonly fragments: readonly StoredFragment[];
  /** Epoch ms of the attempt's media time zero. */
  readonly startedAtMs: number;
  /** Epoch ms; only those of this attempt. */
  readonly pauses?: readonly RecordingPause[];
}

export interface StoredFragment {
  readonly path: string;
  readonly sequence: number;
  /** Media time of the attempt. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface JoinedRecording {
  readonly durationMs: number;
  readonly fragments: number;
  readonly bytes: number;
  readonly videoSamples: number;
  readonly audioSamples: number;
  readonly gaps: readonly RecordingGap[];
  readonly missing: readonly { readonly attempt: number; readonly sequences: readonly number[] }[];
  /** Sound's first sample minus the picture's, in ms; null without both. */
  readonly startOffsetMs: number | null;
  readonly hasPicture: boolean;
  /** Where the last attempt's media time zero lies. */
  readonly lastOffsetMs: number;
}

/** Two moments of media time closer than this are one. */
export const touchMs = 50;

/**
 * Writes the fragments of all attempts into one fragmented MP4, each where its time puts it. Nothing is decoded; one
 * fragment is in memory at a time. A fragment that is missing, cut or damaged leaves a gap.
 * @throws Error when there is no usable fragment at all
 */
export async function joinFragments(attempts: readonly RecordingAttempt[], target: string): Promise<JoinedRecording> {
  const file = await open(target, 'w');
  try {
    return await new Joining(file).run(attempts);
  } finally {
    await file.close();
  }
}

class Joining {
  readonly #file: FileHandle;
  readonly #gaps: RecordingGap[] = [];
  readonly #missing: { attempt: number; sequences: number[] }[] = [];
  #init: Buffer | null = null;
  #zeroMs = 0;
  #fragments = 0;
  #bytes = 0;
  #videoSamples = 0;
  #audioSamples = 0;
  #endMs = 0;
  #firstVideoMs: number | null = null;
  #firstAudioMs: number | null = null;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async run(attempts: readonly RecordingAttempt[]): Promise<JoinedRecording> {
    const inOrder = attempts.toSorted((left, right) => left.startedAtMs - right.startedAtMs);
    this.#zeroMs = inOrder[0]?.startedAtMs ?? 0;
    let pausedMs = 0;
    let lastOffsetMs = 0;
    for (const [index, attempt] of inOrder.entries()) {
      const offsetMs = Math.max(attempt.startedAtMs - this.#zeroMs - pausedMs, this.#endMs);
      lastOffsetMs = offsetMs;
      await this.#addAttempt(attempt, index, offsetMs);
      for (const pause of attempt.pauses ?? []) {
        pausedMs += Math.max(0, (pause.endMs ?? inOrder[index + 1]?.startedAtMs ?? pause.startMs) - pause.startMs);
      }
    }
    if (this.#fragments === 0)
      throw new Error('There is nothing to finish: no fragment of this recording can be read.');
    const both = this.#firstVideoMs !== null && this.#firstAudioMs !== null;
    return {
      durationMs: Math.round(this.#endMs),
      fragments: this.#fragments,
      bytes: this.#bytes,
      videoSamples: this.#videoSamples,
      audioSamples: this.#audioSamples,
      gaps: this.#gaps,
      missing: this.#missing,
      startOffsetMs: both ? Math.round((this.#firstAudioMs ?? 0) - (this.#firstVideoMs ?? 0)) : null,
      hasPicture: this.#init !== null && readAvcC(this.#init) !== null,
      lastOffsetMs,
    };
  }

  async #addAttempt(attempt: RecordingAttempt, index: number, offsetMs: number): Promise<void> {
    const fragments = attempt.fragments.toSorted((left, right) => left.sequence - right.sequence);
    const last = fragments.at(-1);
    if (!last) return;
    const init = await readFile(attempt.init).catch(() => null);
    if (!init || !(await this.#accept(init))) {
      this.#gap(offsetMs, offsetMs + last.endMs, init ? 'other_format' : 'missing_fragments');
      return;
    }
    if (index > 0) this.#gap(this.#endMs, offsetMs, 'between_attempts');
    const missing: number[] = [];
    let expected = 1;
    let endMs = 0;
    for (const fragment of fragments) {
      for (; expected < fragment.sequence; expected += 1) missing.push(expected);
      if (fragment.sequence < expected) continue;
      this.#gap(offsetMs + endMs, offsetMs + fragment.startMs, 'missing_fragments');
      expected = fragment.sequence + 1;
      endMs = fragment.endMs;
      if (!(await this.#addFragment(fragment, offsetMs))) missing.push(fragment.sequence);
    }
    if (missing.length > 0) this.#missing.push({ attempt: index, sequences: missing });
  }

  async #addFragment(fragment: StoredFragment, offsetMs: number): Promise<boolean> {
    const bytes = await readFile(fragment.path).catch(() => null);
    let reading: FragmentReading;
    let moved: Buffer;
    try {
      if (!bytes) throw new Error('missing');
      reading = readFragment(bytes);
      moved = movedFragment(bytes, this.#fragments + 1, offsetMs);
    } catch {
      this.#gap(
        offsetMs + fragment.startMs,
        offsetMs + fragment.endMs,
        bytes ? 'damaged_fragments' : 'missing_fragments',
      );
      return false;
    }
    await this.#file.write(moved);
    this.#fragments += 1;
    this.#bytes += moved.length;
    this.#videoSamples += reading.videoSamples;
    this.#audioSamples += reading.audioSamples;
    this.#endMs = Math.max(this.#endMs, offsetMs + fragment.endMs);
    if (reading.videoStartMs !== null) this.#firstVideoMs ??= offsetMs + reading.videoStartMs;
    if (reading.audioStartMs !== null) this.#firstAudioMs ??= offsetMs + reading.audioStartMs;
    return true;
  }

  /** True when an attempt's media can follow what is written already. */
  async #accept(init: Buffer): Promise<boolean> {
    if (this.#init) return init.equals(this.#init);
    await this.#file.write(init);
    this.#init = init;
    this.#bytes += init.length;
    return true;
  }

  #gap(startMs: number, endMs: number, reason: RecordingGap['reason']): void {
    if (endMs - startMs < touchMs) return;
    const last = this.#gaps.at(-1);
    if (last && last.reason === reason && startMs - last.endMs < touchMs) {
      this.#gaps[this.#gaps.length - 1] = { ...last, endMs: Math.round(endMs) };
    } else this.#gaps.push({ startMs: Math.round(startMs), endMs: Math.round(endMs), reason });
  }
}
