import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CaptureStrategy, ResourceUsage } from '@rapporteur/contracts';
import { createRecorder } from '@rapporteur/recorder';
import type {
  Recorder,
  RecorderHealth,
  RecorderPage,
  RecorderAudioTap,
  RecordingFragment,
  RecordingSummary,
  VideoSizing,
  CaptureStrategySetting,
  StoredFragment,
} from '@rapporteur/recorder';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { Page } from 'playwright-core';
import type { InCallMaterial } from './in-call-material.ts';
import type { RunIdentity } from '../identity.ts';
import type { MeetingStory } from '../story/meeting-story.ts';
import type { PutObject } from '../upload/grant-store.ts';
import type { UploadQueue } from '../upload/upload-queue.ts';
import { recordingSummary, segmentKeys } from './segment-record.ts';
import type { EndRecord, SegmentRecord } from './segment-record.ts';

export interface MeetingRecordingOptions {
  readonly page: Page;
  readonly mode: 'speaker_view' | 'audio_only' | 'gallery_view';
  /** How the video is to be taken. */
  readonly strategy: CaptureStrategySetting;
  readonly videoSize: VideoSizing;
  /** Longest fragment. */
  readonly fragmentMs: number;
  /** Whether each participant's audio is kept apart too, where the platform gives it. */
  readonly participantAudio: boolean;
  readonly identity: RunIdentity;
  readonly workFolder: string;
  readonly story: MeetingStory;
  readonly uploads: UploadQueue;
  /** Listens along; null: nobody does. */
  readonly audioTap: RecorderAudioTap | null;
  /** What this run spent so far; stands beside every fragment. */
  resourceUsage(): ResourceUsage;
  /** Hears by which way the video is taken from now on. */
  onStrategy(strategy: CaptureStrategy): void;
  /** Hears of every fragment that is on the disk. */
  onKept(fragment: StoredFragment): void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** They stand in every fragment's record. */
const mostPauses = 500;

/** Records the page into fragments on the local disk, and uploads each with what happened meanwhile. */
export class MeetingRecording {
  readonly #options: MeetingRecordingOptions;
  readonly #recorder: Recorder;
  #startedAtMs: number | null = null;
  #fragments = 0;
  #recordedMs = 0;
  #stopping: Promise<RecordingSummary> | null = null;
  #summary: RecordingSummary | null = null;
  #fenced = false;

  constructor(options: MeetingRecordingOptions) {
    this.#options = options;
    this.#recorder = createRecorder({
      page: recorderPage(options.page),
      mode: options.mode,
      strategy: options.strategy,
      videoSize: options.videoSize,
      participantAudio: options.participantAudio,
      limits: { fragmentMs: options.fragmentMs },
      logger: options.logger,
      clock: options.clock,
      onStrategy: (strategy) => options.onStrategy(strategy),
      onInit: (bytes) => this.#keepInit(bytes),
      onFragment: (fragment) => this.#keepFragment(fragment),
      ...(options.audioTap === null ? {} : { audioTap: options.audioTap }),
    });
  }

  /** Media time of what is on disk. */
  get recordedMs(): number {
    return this.#recordedMs;
  }

  get fragments(): number {
    return this.#fragments;
  }

  get startedAtMs(): number | null {
    return this.#startedAtMs;
  }

  /** What is known of the recording; null when there is none. */
  material(): InCallMaterial | null {
    if (this.#startedAtMs === null) return null;
    return {
      startedAtMs: this.#startedAtMs,
      recordedMs: this.#recordedMs,
      pauses: this.#recorder.pauses,
      summary: this.#summary,
      events: this.#options.story.events,
    };
  }

  /** Before the page opens the meeting. */
  async install(): Promise<void> {
    await mkdir(join(this.#options.workFolder, segmentKeys.folder(this.#options.identity.attempt)), {
      recursive: true,
    });
    await this.#recorder.install();
  }

  /** Begins, or goes on after the page or its capture was given up. */
  async start(): Promise<{ readonly startedAtMs: number }> {
    const started = await this.#recorder.start();
    this.#startedAtMs = started.startedAtMs;
    return started;
  }

  /** Gives up what captures now; `start` begins anew in the same page, in the same recording. */
  async letGo(): Promise<void> {
    await this.#recorder.letGo();
  }

  /** Another page takes the place of a lost one, before it opens the meeting; `start` goes on there. */
  async moveTo(page: Page): Promise<void> {
    await this.#recorder.moveTo(recorderPage(page));
  }

  /** @throws Error in words for the customer when it cannot */
  async pause(): Promise<void> {
    if (this.#recorder.pauses.length >= mostPauses)
      throw new Error(`It was paused ${mostPauses} times, which is the most a recording can be.`);
    await this.#recorder.pause();
  }

  async resume(): Promise<void> {
    await this.#recorder.resume();
  }

  /** The page shows the participants while somebody looks at it. */
  async whileShown<Seen>(poll: () => Promise<Seen>): Promise<Seen> {
    return await this.#recorder.whileShown(poll);
  }

  health(): RecorderHealth {
    return this.#recorder.health();
  }

  /** Closes the last fragment and writes the end record. Safe twice, and after the page died. */
  async stop(): Promise<void> {
    if (this.#startedAtMs === null) return;
    const first = this.#stopping === null;
    this.#stopping ??= this.#recorder.stop();
    const summary = await this.#stopping;
    this.#summary = summary;
    if (first) await this.#keepEnd(summary);
  }

  /** Nothing more is kept or uploaded: another run writes now. */
  fence(): void {
    this.#fenced = true;
  }

  async #keepInit(bytes: Uint8Array): Promise<void> {
    await this.#keep(segmentKeys.init(this.#options.identity.attempt), bytes, 'video/mp4');
  }

  async #keepFragment(fragment: RecordingFragment): Promise<void> {
    if (this.#fenced) return;
    const { identity, story } = this.#options;
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
      startedAtMs: this.#startedAtMs ?? 0,
      pauses: [...this.#recorder.pauses],
      gapBefore,
      resourceUsage: this.#options.resourceUsage(),
      events: story.takeNew(),
    };
    const key = segmentKeys.fragment(attempt, sequence);
    // First, so that no fragment is ever without the record that says when it was.
    const recordFile = await this.#write(segmentKeys.record(attempt, sequence), Buffer.from(JSON.stringify(record)));
    const path = await this.#write(key, bytes);
    this.#upload({ key, content: { mediaFile: path, recordFile }, contentType: 'video/mp4' });
    this.#fragments += 1;
    this.#recordedMs = Math.max(this.#recordedMs, endMs);
    this.#options.onKept({ path, sequence, startMs, endMs, gapBefore });
  }

  async #keepEnd(summary: RecordingSummary): Promise<void> {
    const { attempt, fencing } = this.#options.identity;
    const events = this.#options.story.takeNew();
    const said = { summary: recordingSummary.parse(summary), resourceUsage: this.#options.resourceUsage(), events };
    const record: EndRecord = { version: 1, attempt, fencing, ...said };
    await this.#keep(segmentKeys.end(attempt), Buffer.from(JSON.stringify(record)), 'application/json');
    const { fragments, bytes, durationMs, framesEncoded, framesDropped, gaps, endedCleanly, strategy } = summary;
    this.#options.logger.info(
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
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { mode: 0o600 });
    return file;
  }

  #upload(object: PutObject): void {
    if (!this.#fenced) void this.#options.uploads.add(object);
  }
}

function recorderPage(page: Page): RecorderPage {
  return {
    addInitScript: async (source) => {
      await page.addInitScript({ content: source });
    },
    exposeBinding: async (name, receive) => {
      await page.exposeBinding(name, async ({ frame }, text: string) => {
        if (frame === page.mainFrame()) await receive(text);
      });
    },
    evaluate: (expression) => page.evaluate(expression),
  };
}
