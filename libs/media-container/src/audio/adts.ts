const headerBytes = 7;

/** The AAC frames of an ADTS stream, without their headers. @throws Error when it is cut or no ADTS */
export function splitAdts(stream: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < stream.length;) {
    const sync = at + headerBytes <= stream.length ? stream.readUInt16BE(at) & 0xff_f6 : 0;
    const length = sync === 0xff_f0 ? (stream.readUInt32BE(at + 2) >>> 5) & 0x1f_ff : 0;
    if (length <= headerBytes || at + length > stream.length)
      throw new Error('The encoded AAC audio is cut or damaged.');
    frames.push(stream.subarray(at + headerBytes, at + length));
    at += length;
  }
  return frames;
}

/** AAC-LC, 48 kHz, one channel: the decoder's configuration. */
export const aacConfig = Buffer.from([0x11, 0x88]);

/**
 * Length and shape of a mono frame's window. Two encodings of the same audio join seamlessly where their windows are
 * equal: the overlapping halves cancel their aliasing.
 */
export function windowOf(frame: Uint8Array): number {
  // Single channel element: 3 bits of type, 4 of tag, 8 of gain, 1 reserved, 2 of window sequence, 1 of shape.
  const from16 = (frame[2] ?? 0) >>> 5;
  return from16 & 0b111;
}
