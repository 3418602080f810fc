import { fullBox, u32 } from '../boxes/mp4-boxes.ts';

const blockLength = 16_384;

/** Many whole numbers below 2^32 in little memory, in order of insertion: four bytes each. */
class NumberColumn {
  readonly #blocks: Uint32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Memory used. */
  get bytes(): number {
    return this.#blocks.length * blockLength * 4;
  }

  push(value: number): void {
    const at = this.#length % blockLength;
    if (at === 0) this.#blocks.push(new Uint32Array(blockLength));
    (this.#blocks.at(-1) ?? new Uint32Array(1))[at] = value;
    this.#length += 1;
  }

  *values(): Generator<number> {
    let left = this.#length;
    for (const block of this.#blocks) {
      yield* block.subarray(0, Math.min(left, blockLength));
      left -= blockLength;
    }
  }
}

export interface TableSample {
  /** In the track's timescale, from its beginning. */
  readonly start: number;
  readonly size: number;
  readonly key: boolean;
}

const largest32 = 2 ** 32;

/** Positions and times of the samples of one track: some eight bytes each. */
export class SampleTable {
  readonly #allKeys: boolean;
  readonly #runLengths = new NumberColumn();
  readonly #runDeltas = new NumberColumn();
  readonly #sizes = new NumberColumn();
  readonly #keys = new NumberColumn();
  readonly #chunkOffsets: number[] = [];
  readonly #chunkSamples: number[] = [];
  readonly #chunkDescriptions: number[] = [];
  #lastStart: number | null = null;
  #run: { delta: number; length: number } | null = null;
  #firstStart: number | null = null;

  /** @param allKeys every sample can be decoded without the ones before: audio */
  constructor(allKeys: boolean) {
    this.#allKeys = allKeys;
  }

  get samples(): number {
    return this.#sizes.length;
  }

  /** The start of the first sample; null without any. */
  get firstStart(): number | null {
    return this.#firstStart;
  }

  get memoryBytes(): number {
    const columns = [this.#runLengths, this.#runDeltas, this.#sizes, this.#keys];
    return columns.reduce((sum, column) => sum + column.bytes, 0) + this.#chunkOffsets.length * 24;
  }

  /**
   * Contiguous samples from an offset of the media on.
   * @param description index of the sample entry of the track, from 1
   */
  addChunk(offset: number, samples: readonly TableSample[], description = 1): void {
    if (samples.length === 0) return;
    this.#chunkOffsets.push(offset);
    this.#chunkSamples.push(samples.length);
    this.#chunkDescriptions.push(description);
    for (const { start: wanted, size, key } of samples) {
      // No format allows decreasing times; where fragments overlap, time advances by a minimum.
      const start = this.#lastStart === null ? wanted : Math.max(wanted, this.#lastStart + 1);
      if (this.#lastStart !== null) this.#delta(start - this.#lastStart);
      this.#firstStart ??= start;
      this.#lastStart = start;
      this.#sizes.push(size);
      if (key && !this.#allKeys) this.#keys.push(this.#sizes.length);
    }
  }

  /** @param end of the last sample; @param dataStart offset of the media in the file */
  boxes(end: number, dataStart: number): { readonly boxes: Buffer[]; readonly duration: number } {
    const duration = Math.max(0, end - (this.#firstStart ?? end));
    return {
      duration,
      boxes: [
        this.#times(end),
        ...(this.#allKeys ? [] : [fullBox('stss', 0, 0, u32(this.#keys.length), tableOf(this.#keys))]),
        fullBox('stsz', 0, 0, u32(0, this.#sizes.length), tableOf(this.#sizes)),
        this.#chunks(),
        this.#offsets(dataStart),
      ],
    };
  }

  #delta(delta: number): void {
    if (this.#run?.delta === delta) this.#run.length += 1;
    else {
      this.#closeRun();
      this.#run = { delta, length: 1 };
    }
  }

  #closeRun(): void {
    if (this.#run === null) return;
    this.#runLengths.push(this.#run.length);
    this.#runDeltas.push(this.#run.delta);
  }

  #times(end: number): Buffer {
    const rows = [tableOf(this.#runLengths, this.#runDeltas)];
    let count = this.#runLengths.length;
    const add = (length: number, delta: number): void => {
      rows.push(u32(length, delta));
      count += 1;
    };
    if (this.#run !== null) add(this.#run.length, this.#run.delta);
    if (this.#lastStart !== null) add(1, Math.max(1, end - this.#lastStart));
    return fullBox('stts', 0, 0, u32(count), ...rows);
  }

  #chunks(): Buffer {
    const rows: Buffer[] = [];
    this.#chunkSamples.forEach((samples, index) => {
      const description = this.#chunkDescriptions[index] ?? 1;
      const asBefore = samples === this.#chunkSamples[index - 1] && description === this.#chunkDescriptions[index - 1];
      if (!asBefore) rows.push(u32(index + 1, samples, description));
    });
    return fullBox('stsc', 0, 0, u32(rows.length), ...rows);
  }

  #offsets(dataStart: number): Buffer {
    const isLong = (this.#chunkOffsets.at(-1) ?? 0) + dataStart >= largest32;
    const table = Buffer.alloc(this.#chunkOffsets.length * (isLong ? 8 : 4));
    this.#chunkOffsets.forEach((offset, index) => {
      if (isLong) table.writeBigUInt64BE(BigInt(offset + dataStart), index * 8);
      else table.writeUInt32BE(offset + dataStart, index * 4);
    });
    return fullBox(isLong ? 'co64' : 'stco', 0, 0, u32(this.#chunkOffsets.length), table);
  }
}

/** Columns side by side as big-endian table rows of 32 bits each. */
function tableOf(...columns: readonly NumberColumn[]): Buffer {
  const rows = columns[0]?.length ?? 0;
  const table = Buffer.alloc(rows * columns.length * 4);
  columns.forEach((column, place) => {
    let at = place * 4;
    for (const value of column.values()) {
      table.writeUInt32BE(value, at);
      at += columns.length * 4;
    }
  });
  return table;
}
