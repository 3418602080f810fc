/** The type of the `uuid` box that holds the record: players skip boxes of unknown type. */
const recordType = Buffer.from('8f2c6c1e5a904d0fb1d37a8e4f6b2c90', 'hex');
const headBytes = 8 + recordType.length;
const tailBytes = 4;

/** A stored fragment: its media, followed by a box with its record, so that one request stores both or neither. */
export function joinFragment(media: Uint8Array, record: Uint8Array): Buffer {
  const size = headBytes + record.byteLength + tailBytes;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size);
  head.write('uuid', 4, 'latin1');
  // The size again at the end: the box is found without parsing the media.
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32BE(size);
  return Buffer.concat([media, head, recordType, record, tail]);
}

/** The record is null for an object that is media alone. */
export function splitFragment(object: Uint8Array): { readonly media: Buffer; readonly record: Buffer | null } {
  const bytes = Buffer.from(object.buffer, object.byteOffset, object.byteLength);
  const start = bytes.length < headBytes + tailBytes ? -1 : bytes.length - bytes.readUInt32BE(bytes.length - tailBytes);
  const isRecord =
    start >= 0 &&
    start <= bytes.length - headBytes - tailBytes &&
    bytes.readUInt32BE(start) === bytes.length - start &&
    bytes.toString('latin1', start + 4, start + 8) === 'uuid' &&
    bytes.subarray(start + 8, start + headBytes).equals(recordType);
  if (!isRecord) return { media: bytes, record: null };
  return { media: bytes.subarray(0, start), record: bytes.subarray(start + headBytes, bytes.length - tailBytes) };
}
