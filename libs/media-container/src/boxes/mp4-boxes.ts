/** The few MP4 (ISO 14496-12) building blocks that a fragmented recording needs. */

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts], size);
}

export function fullBox(type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Buffer {
  return box(type, u32((version << 24) | flags), ...parts);
}

export function u8(...values: readonly number[]): Buffer {
  return Buffer.from(values);
}

export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xff_ff, index * 2));
  return bytes;
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

export function text(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}

export interface BoxPlace {
  readonly type: string;
  /** The position of the box's first byte. */
  readonly start: number;
  /** The position of the first byte after its size and type. */
  readonly contentStart: number;
  readonly end: number;
}

/** The consecutive boxes in a range. @throws Error when sizes don't add up: the data is cut or damaged */
export function boxesIn(bytes: Uint8Array, start = 0, end = bytes.length): BoxPlace[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places: BoxPlace[] = [];
  for (let at = start; at < end;) {
    const size = at + 8 <= end ? view.readUInt32BE(at) : 0;
    if (size < 8 || at + size > end) throw new Error(`MP4 data is cut or damaged at byte ${at} of ${bytes.length}.`);
    places.push({ type: view.toString('latin1', at + 4, at + 8), start: at, contentStart: at + 8, end: at + size });
    at += size;
  }
  return places;
}
