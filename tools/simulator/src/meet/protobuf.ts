/** Writes protobuf fields in the order of the calls. Zero and empty values are left out, as proto3 does. */
export class ProtobufWriter {
  readonly #parts: Buffer[] = [];

  /** A non-negative integer up to 2^53. */
  varint(field: number, value: number): this {
    if (value !== 0) this.#parts.push(encodeVarint(field * 8), encodeVarint(value));
    return this;
  }

  string(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, Buffer.from(value, 'utf8'));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  bytes(field: number, value: Buffer): this {
    this.#parts.push(encodeVarint(field * 8 + 2), encodeVarint(value.length), value);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  // Division instead of shifts: timestamps in microseconds do not fit into 32 bits.
  while (rest > 127) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
