import { join } from 'node:path';
import { growArtifacts } from '@rapporteur/recorder';
import type {
  ArtifactName,
  GrowingArtifacts,
  GrownRecording,
  RecordingMode,
  StoredFragment,
} from '@rapporteur/recorder';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { RunIdentity } from '../identity.ts';
import { segmentKeys } from '../recording/segment-record.ts';
import type { GrantStore, PutReceipt } from '../upload/grant-store.ts';
import type { GrowingStore } from '../upload/growing-store.ts';
import { GrowingUpload } from '../upload/growing-upload.ts';
import { UploadQueue } from '../upload/upload-queue.ts';
import { mediaTypes } from './build-artifacts.ts';
import type { InCallMaterial } from './build-artifacts.ts';

export interface InCallFilesOptions {
  readonly identity: RunIdentity;
  readonly mode: RecordingMode;
  readonly workFolder: string;
  readonly ffmpegPath: string;
  readonly store: GrantStore;
  readonly growing: GrowingStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long a piece that is still on its way may keep the bot from being done: it only spares a second run work. */
const lastPiecesMs = 100;
const lastEncodingMs = 2_000;

/**
 * Encodes sound and stores the artifacts' parts while the meeting goes on. A run after the first one has an earlier one's
 * pieces to join, so it only encodes; whatever fails here, the artifacts are made of the fragments at the end.
 */
export class InCallFiles {
  readonly #artifacts: GrowingArtifacts;
  readonly #uploads: Readonly<Record<ArtifactName, GrowingUpload>>;
  readonly #pieces: UploadQueue;
  readonly #isFirstRun: boolean;
  readonly #clock: Clock;
  #closing: Promise<void> | null = null;
  #material: (() => InCallMaterial | null) | null = null;

  constructor(options: InCallFilesOptions) {
    const { identity, workFolder, ffmpegPath, store, growing, clock, logger } = options;
    const { attempt } = identity;
    const upload = (name: ArtifactName): GrowingUpload =>
      new GrowingUpload({ ...mediaTypes[name], store: growing, clock, logger });
    this.#isFirstRun = attempt === 1;
    this.#clock = clock;
    this.#uploads = { video: upload('video'), audio: upload('audio'), audio_m4a: upload('audio_m4a') };
    // Beside the fragments' queue: nothing here may keep a fragment waiting.
    this.#pieces = new UploadQueue({ store, clock, logger });
    this.#artifacts = growArtifacts({
      init: join(workFolder, segmentKeys.init(attempt)),
      mode: options.mode,
      workFolder: join(workFolder, 'artifacts'),
      ffmpegPath,
      soundPiecePath: (index) => join(workFolder, segmentKeys.sound(attempt, index)),
      logger,
      onPiece: (index, file) => {
        const key = segmentKeys.sound(attempt, index);
        void this.#pieces.add({ key, content: { file }, contentType: 'application/octet-stream' });
      },
      onPart: (name, number, spans) => {
        if (this.#isFirstRun) this.#uploads[name].add(number, spans);
      },
    });
  }

  add(fragment: StoredFragment): void {
    this.#artifacts.add(fragment);
  }

  /** What the attendance was about, asked for at its end; null when nothing was recorded. */
  get material(): InCallMaterial | null {
    return this.#material?.() ?? null;
  }

  tellOf(material: () => InCallMaterial | null): void {
    this.#material = material;
  }

  /** @returns null when the artifacts have to be made of the fragments */
  async finish(options: Parameters<GrowingArtifacts['finish']>[0]): Promise<GrownRecording | null> {
    if (!this.#isFirstRun) return null;
    return await this.#artifacts.finish(options).catch(() => null);
  }

  /** Stores what is left of an artifact of which parts are stored already. @returns null when that did not work */
  async store(artifact: GrownRecording['artifacts'][number]): Promise<PutReceipt | null> {
    return await this.#uploads[artifact.name].finish(artifact);
  }

  /** Ends everything that goes on here. Safe twice. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await this.#pieces.drain(lastPiecesMs);
    await Promise.all([this.#pieces, ...Object.values(this.#uploads)].map((upload) => upload.close()));
    // Sound that is being encoded right now is not waited for long: the process ends next.
    await Promise.race([this.#artifacts.close(), this.#clock.sleep(lastEncodingMs)]);
  }
}
