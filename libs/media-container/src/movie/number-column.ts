const blockLength = 16_384;

/** Many whole numbers below 2^32 in little memory, in order of insertion: four bytes each. */
export class NumberColumn {
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

/** Columns side by side as big-endian table rows of 32 bits each. */
export function tableOf(...columns: readonly NumberColumn[]): Buffer {
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
