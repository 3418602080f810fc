import { doneWithin } from '@rapporteur/async';
import { join } from 'node:path';
import { startIncrementalArtifacts } from '@rapporteur/recorder';
import type { ArtifactName, IncrementalArtifacts, IncrementalRecording, StoredFragment } from '@rapporteur/recorder';
import type { Clock } from '@rapporteur/service-runtime/process';
import { segmentKeys } from '../recording/segment-record.ts';
import type { PutReceipt, MultipartStore } from '../upload/grant-store.ts';
import { MultipartUpload } from '../upload/multipart-upload.ts';
import { mediaTypes } from './artifact-file.ts';
import type { InCallMaterial } from '../recording/fragment-store.ts';
import type { StoryEvent } from '../story/story-event.ts';
import type { RunContext } from '../run-context.ts';

export interface InCallFilesOptions extends Pick<
  RunContext,
  'identity' | 'mode' | 'workFolder' | 'ffmpegPath' | 'clock' | 'logger'
> {
  readonly multipart: MultipartStore;
}

const lastEncodingMs = 2_000;

/**
 * Encodes audio and stores the artifacts' parts during the meeting. A run after the first one has earlier fragments to
 * join, so it only encodes. After any failure here the artifacts are made of the fragments at the end.
 */
export class InCallFiles {
  readonly #artifacts: IncrementalArtifacts;
  readonly #uploads: Readonly<Record<ArtifactName, MultipartUpload>>;
  readonly #isFirstRun: boolean;
  readonly #clock: Clock;
  #closing: Promise<void> | null = null;
  #material: (() => InCallMaterial | null) | null = null;
  #events: () => readonly StoryEvent[] = () => [];

  constructor(options: InCallFilesOptions) {
    const { identity, workFolder, ffmpegPath, multipart, clock, logger } = options;
    const { attempt } = identity;
    const upload = (name: ArtifactName): MultipartUpload =>
      new MultipartUpload({ ...mediaTypes[name], store: multipart, clock, logger });
    this.#isFirstRun = attempt === 1;
    this.#clock = clock;
    this.#uploads = { video: upload('video'), audio: upload('audio'), audio_m4a: upload('audio_m4a') };
    this.#artifacts = startIncrementalArtifacts({
      init: join(workFolder, segmentKeys.init(attempt)),
      mode: options.mode,
      workFolder: join(workFolder, 'artifacts'),
      ffmpegPath,
      audioFragmentPath: (index) => join(workFolder, segmentKeys.audio(attempt, index)),
      logger,
      onPart: (name, number, spans) => {
        if (this.#isFirstRun) this.#uploads[name].add(number, spans);
      },
    });
  }

  add(fragment: StoredFragment): void {
    this.#artifacts.add(fragment);
  }

  /** The facts of the attendance, requested at its end; null when nothing was recorded. */
  get material(): InCallMaterial | null {
    return this.#material?.() ?? null;
  }

  /** Events of the meeting so far, also without a recording. */
  get events(): readonly StoryEvent[] {
    return this.#events();
  }

  reporterOf(material: () => InCallMaterial | null, events: () => readonly StoryEvent[]): void {
    this.#material = material;
    this.#events = events;
  }

  /** @returns null when the artifacts have to be made of the fragments */
  async finish(options: Parameters<IncrementalArtifacts['finish']>[0]): Promise<IncrementalRecording | null> {
    if (!this.#isFirstRun) return null;
    return await this.#artifacts.finish(options).catch(() => null);
  }

  /** Stores the rest of an artifact of which parts are stored already. @returns null when that fails */
  async store(artifact: IncrementalRecording['artifacts'][number]): Promise<PutReceipt | null> {
    return await this.#uploads[artifact.name].finish(artifact);
  }

  /** Ends all work in progress. Idempotent. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all(Object.values(this.#uploads).map((upload) => upload.close()));
    // The wait for audio that is being encoded is limited: the process ends next.
    await doneWithin(this.#artifacts.close(), lastEncodingMs, this.#clock);
  }
}
