/** One field of a protobuf message on the wire. Unknown fields stay readable. */
export type ProtobufField =
  | { readonly field: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly field: number; readonly kind: 'bytes'; readonly value: Uint8Array };

const wireVarint = 0;
const wireFixed64 = 1;
const wireBytes = 2;
const wireFixed32 = 5;

/**
 * The fields of one message, in order; fixed-width numbers are skipped.
 * @throws Error when the bytes are no protobuf message
 */
export function readProtobuf(bytes: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = [];
  const cursor = { at: 0 };
  while (cursor.at < bytes.length) {
    const tag = Number(readVarint(bytes, cursor));
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (field === 0) throw new Error('A protobuf field has the number 0.');
    if (wire === wireVarint) fields.push({ field, kind: 'varint', value: readVarint(bytes, cursor) });
    else if (wire === wireBytes)
      fields.push({ field, kind: 'bytes', value: readBytes(bytes, cursor, Number(readVarint(bytes, cursor))) });
    else if (wire === wireFixed64) readBytes(bytes, cursor, 8);
    else if (wire === wireFixed32) readBytes(bytes, cursor, 4);
    else throw new Error(`A protobuf field has the unknown wire type ${wire}.`);
  }
  return fields;
}

/**
 * Every embedded message under `field`. Bytes that are no message are left out: the meaning of a field may have
 * changed.
 */
export function messagesIn(fields: readonly ProtobufField[], field: number): ProtobufField[][] {
  const messages: ProtobufField[][] = [];
  for (const entry of fields) {
    if (entry.field !== field || entry.kind !== 'bytes') continue;
    try {
      messages.push(readProtobuf(entry.value));
    } catch {
      continue;
    }
  }
  return messages;
}

/** The last text under `field`, or null when absent, empty or no UTF-8. */
export function textIn(fields: readonly ProtobufField[], field: number): string | null {
  const entry = fields.findLast((candidate) => candidate.field === field);
  if (entry?.kind !== 'bytes' || entry.value.length === 0) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(entry.value);
  } catch {
    return null;
  }
}

/** The last number under `field`, or null when absent or beyond 2^53. */
export function numberIn(fields: readonly ProtobufField[], field: number): number | null {
  const entry = fields.findLast((candidate) => candidate.field === field);
  if (entry?.kind !== 'varint' || entry.value > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return Number(entry.value);
}

function readVarint(bytes: Uint8Array, cursor: { at: number }): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[cursor.at];
    if (byte === undefined) throw new Error('A protobuf number is cut off.');
    cursor.at += 1;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new Error('A protobuf number is longer than ten bytes.');
}

function readBytes(bytes: Uint8Array, cursor: { at: number }, length: number): Uint8Array {
  const end = cursor.at + length;
  if (end > bytes.length) throw new Error('A protobuf field is cut off.');
  const value = bytes.subarray(cursor.at, end);
  cursor.at = end;
  return value;
}
