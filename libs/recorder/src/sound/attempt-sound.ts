import { readFile } from 'node:fs/promises';
import { writeSpans } from '../finalize/byte-span.ts';
import { encodeSound } from './encode-sound.ts';
import type { EncodedSound, SoundEncoderOptions, SoundPacket, SoundSpan } from './encode-sound.ts';
import { contextFrames, frameSamples, pieceFrames, soundRate } from './sound-grid.ts';
import { readSoundPiece, soundPieceBytes } from './sound-piece.ts';

/** Packets that lie somewhere on the disk. Times are in samples of the attempt. */
export interface SoundSource {
  readonly start: number;
  readonly end: number;
  read(): Promise<readonly SoundPacket[]>;
}

export interface AttemptSoundOptions {
  readonly encoder: SoundEncoderOptions;
  /** Where a piece that was encoded is kept and found again; without it none is. */
  readonly piecePath?: (index: number) => string;
  /** Encoded now and kept. */
  onPiece?(index: number, path: string): void;
  /** An encoder failed; it is tried again. */
  onFailure?(error: unknown, span: SoundSpan): void;
  /** Hears of sound that nothing can be made of, and that is silence then. Without it that fails. */
  onLost?(span: SoundSpan): void;
  /** Takes the pieces in order. */
  onSound(sound: EncodedSound): Promise<void>;
}

/** Sound that comes so much later than the picture counts as none. */
const soundWaitSamples = 2 * soundRate;
const triesAtMost = 2;

/** Encodes the sound of one attempt piece by piece, as it comes; what is there already is taken as it is. */
export class AttemptSound {
  readonly #options: AttemptSoundOptions;
  #sources: SoundSource[] = [];
  #nextPiece = 0;
  #heardSample = 0;

  constructor(options: AttemptSoundOptions) {
    this.#options = options;
  }

  /** @param untilSample everything before has come, but for sound that is late */
  async add(source: SoundSource | null, untilSample: number): Promise<void> {
    if (source !== null) {
      this.#sources.push(source);
      this.#heardSample = Math.max(this.#heardSample, source.end);
    }
    const complete = Math.max(this.#heardSample, untilSample - soundWaitSamples);
    while (complete >= this.#nextEnd() + contextFrames * frameSamples)
      await this.#hand(await this.#piece(this.#nextPiece));
  }

  /** Encodes what is left, up to where the attempt ends. */
  async finish(endSample: number): Promise<void> {
    for (; this.#nextEnd() <= endSample;) await this.#hand(await this.#piece(this.#nextPiece));
    const firstFrame = this.#nextPiece * pieceFrames;
    if (endSample > firstFrame * frameSamples) await this.#hand((await this.#encode({ firstFrame, endSample })).sound);
  }

  #nextEnd(): number {
    return (this.#nextPiece + 1) * pieceFrames * frameSamples;
  }

  async #hand(sound: EncodedSound): Promise<void> {
    this.#nextPiece += 1;
    await this.#options.onSound(sound);
    const from = (this.#nextPiece * pieceFrames - 2 * contextFrames) * frameSamples;
    this.#sources = this.#sources.filter((source) => source.end > from);
  }

  async #piece(index: number): Promise<EncodedSound> {
    const path = this.#options.piecePath?.(index) ?? null;
    const known = path === null ? null : await readKnown(path, index);
    if (known) return known;
    const { sound, lost } = await this.#encode({ firstFrame: index * pieceFrames, endSample: this.#nextEnd() });
    if (path !== null && !lost) {
      await writeSpans(path, [{ bytes: soundPieceBytes(sound) }]);
      this.#options.onPiece?.(index, path);
    }
    return sound;
  }

  async #encode(span: SoundSpan): Promise<EncodedNow> {
    const from = (span.firstFrame - 2 * contextFrames) * frameSamples;
    const to = span.endSample + 2 * contextFrames * frameSamples;
    const packets: SoundPacket[] = [];
    for (const source of this.#sources)
      if (source.end > from && source.start < to) packets.push(...(await source.read()));
    return this.#tryTwice(packets, span);
  }

  /** Where nobody can try again later, sound that cannot be encoded becomes silence: it must not cost the picture. */
  async #tryTwice(packets: readonly SoundPacket[], span: SoundSpan): Promise<EncodedNow> {
    const { encoder, onFailure, onLost } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        return { sound: await encodeSound(packets, span, encoder), lost: false };
      } catch (error) {
        onFailure?.(error, span);
        if (tries < triesAtMost) continue;
        if (!onLost) throw error;
        break;
      }
    }
    const silence = await encodeSound([], span, encoder);
    onLost(span);
    return { sound: silence, lost: true };
  }
}

interface EncodedNow {
  readonly sound: EncodedSound;
  /** It is silence, for want of anything better. */
  readonly lost: boolean;
}

/** A piece that an earlier run left; null when there is none that is whole. */
async function readKnown(path: string, index: number): Promise<EncodedSound | null> {
  try {
    const sound = readSoundPiece(await readFile(path));
    return sound.firstFrame === index * pieceFrames && sound.flac.length === pieceFrames ? sound : null;
  } catch {
    return null;
  }
}
