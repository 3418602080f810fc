import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ResourceUsage } from '@rapporteur/contracts';
import type {
  Recorder,
  RecordingFragment,
  RecordingPause,
  RecordingSummary,
  StoredFragment,
} from '@rapporteur/recorder';
import type { MeetingStory } from '../story/meeting-story.ts';
import type { StoryEvent } from '../story/story-event.ts';
import type { PutObject } from '../upload/grant-store.ts';
import { recordingSummary, segmentKeys } from './segment-record.ts';
import type { EndRecord, SegmentRecord } from './segment-record.ts';
import type { RunContext } from '../run-context.ts';

/** What one attempt recorded, from the state of its own runner. */
export interface InCallMaterial {
  readonly startedAtMs: number;
  readonly recordedMs: number;
  readonly pauses: readonly RecordingPause[];
  readonly summary: RecordingSummary | null;
  readonly events: readonly StoryEvent[];
}

export interface FragmentStoreOptions extends Pick<RunContext, 'identity' | 'workFolder' | 'logger'> {
  readonly story: MeetingStory;
  readonly uploads: { add(object: PutObject): Promise<unknown> };
  /** The resource usage of this run so far; every fragment is written with it. */
  resourceUsage(): ResourceUsage;
  /** Called for every fragment that is on the disk. */
  onKept(fragment: StoredFragment): void;
}

/** Writes the fragments of one attempt and their records to the local disk, and uploads them. */
export class FragmentStore {
  readonly #options: FragmentStoreOptions;
  #count = 0;
  #recordedMs = 0;
  #summary: RecordingSummary | null = null;
  #fenced = false;

  constructor(options: FragmentStoreOptions) {
    this.#options = options;
  }

  /** Fragments on the disk. */
  get count(): number {
    return this.#count;
  }

  /** There are fragments on the disk, or captions of what was to be recorded. */
  get hasContent(): boolean {
    return this.#count > 0 || this.#options.story.events.some(({ kind }) => kind === 'caption');
  }

  /** Media time of the fragments on the disk. */
  get recordedMs(): number {
    return this.#recordedMs;
  }

  /** Null when nothing was recorded. */
  material({ startedAtMs, pauses }: Pick<Recorder, 'startedAtMs' | 'pauses'>): InCallMaterial | null {
    if (startedAtMs === null) return null;
    const { events } = this.#options.story;
    return { startedAtMs, recordedMs: this.#recordedMs, pauses, summary: this.#summary, events };
  }

  /** From now on nothing is written or uploaded: another run holds the lease. */
  fence(): void {
    this.#fenced = true;
  }

  async keepInit(bytes: Uint8Array): Promise<void> {
    await this.#keep(segmentKeys.init(this.#options.identity.attempt), bytes, 'video/mp4');
  }

  async keepFragment(
    fragment: RecordingFragment,
    { startedAtMs, pauses }: Pick<Recorder, 'startedAtMs' | 'pauses'>,
  ): Promise<void> {
    if (this.#fenced) return;
    const { identity, story, resourceUsage, onKept } = this.#options;
    const { attempt, fencing } = identity;
    const { sequence, startMs, endMs, bytes, sha256, gapBefore } = fragment;
    const record: SegmentRecord = {
      version: 1,
      attempt,
      fencing,
      sequence,
      startMs,
      endMs,
      bytes: bytes.byteLength,
      sha256,
      startedAtMs: startedAtMs ?? 0,
      pauses: [...pauses],
      gapBefore,
      resourceUsage: resourceUsage(),
      events: story.takeNew(),
    };
    const key = segmentKeys.fragment(attempt, sequence);
    // First, so that every fragment on the disk has its record.
    const recordFile = await this.#write(segmentKeys.record(attempt, sequence), Buffer.from(JSON.stringify(record)));
    const path = await this.#write(key, bytes);
    this.#upload({ key, content: { mediaFile: path, recordFile }, contentType: 'video/mp4' });
    this.#count += 1;
    this.#recordedMs = Math.max(this.#recordedMs, endMs);
    onKept({ path, sequence, startMs, endMs, gapBefore });
  }

  /** Writes the end record. */
  async keepEnd(summary: RecordingSummary): Promise<void> {
    this.#summary = summary;
    const { identity, story, resourceUsage, logger } = this.#options;
    const { attempt, fencing } = identity;
    const record: EndRecord = {
      version: 1,
      attempt,
      fencing,
      summary: recordingSummary.parse(summary),
      resourceUsage: resourceUsage(),
      events: story.takeNew(),
    };
    await this.#keep(segmentKeys.end(attempt), Buffer.from(JSON.stringify(record)), 'application/json');
    const { fragments, bytes, durationMs, framesEncoded, framesDropped, gaps, endedCleanly, strategy } = summary;
    logger.info(
      { fragments, bytes, durationMs, framesEncoded, framesDropped, gaps: gaps.length, endedCleanly, strategy },
      'The recording has ended.',
    );
  }

  async #keep(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    if (this.#fenced) return;
    this.#upload({ key, content: { file: await this.#write(key, bytes) }, contentType });
  }

  /** @returns the path */
  async #write(key: string, bytes: Uint8Array): Promise<string> {
    const file = join(this.#options.workFolder, key);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { mode: 0o600 });
    return file;
  }

  #upload(object: PutObject): void {
    if (!this.#fenced) void this.#options.uploads.add(object);
  }
}
