export type IvfFile = { width: number; height: number; frames: Buffer[] };

const FILE_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 12;

/** Splits an IVF file of VP8 into its frames. Throws when the file is not VP8 in IVF or ends inside a frame. */
export function readIvf(file: Buffer): IvfFile {
  if (file.length < FILE_HEADER_BYTES || file.toString('latin1', 0, 4) !== 'DKIF') throw new Error('Not an IVF file.');
  if (file.toString('latin1', 8, 12) !== 'VP80') throw new Error('The IVF file does not hold VP8.');
  const frames: Buffer[] = [];
  let offset = file.readUInt16LE(6);
  while (offset < file.length) {
    if (offset + FRAME_HEADER_BYTES > file.length) throw new Error('The IVF file ends inside a frame header.');
    const start = offset + FRAME_HEADER_BYTES;
    const end = start + file.readUInt32LE(offset);
    if (end > file.length) throw new Error('The IVF file ends inside a frame.');
    frames.push(file.subarray(start, end));
    offset = end;
  }
  return { width: file.readUInt16LE(12), height: file.readUInt16LE(14), frames };
}

/** True when a VP8 frame can be decoded without the ones before it. */
export function isVp8KeyFrame(frame: Buffer): boolean {
  return frame.length > 0 && ((frame[0] ?? 1) & 1) === 0;
}

/** An IVF file of VP8 frames, a tenth of a second each; what decodes it takes the size from the frames. */
export function writeIvf(frames: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(FILE_HEADER_BYTES);
  head.write('DKIF', 0, 'latin1');
  head.writeUInt16LE(FILE_HEADER_BYTES, 6);
  head.write('VP80', 8, 'latin1');
  // A key frame has its size after its tag and its start code.
  head.writeUInt16LE(frames[0]?.readUInt16LE(6) ?? 0, 12);
  head.writeUInt16LE(frames[0]?.readUInt16LE(8) ?? 0, 14);
  head.writeUInt32LE(10, 16);
  head.writeUInt32LE(1, 20);
  head.writeUInt32LE(frames.length, 24);
  const parts = frames.flatMap((frame, index) => {
    const header = Buffer.alloc(FRAME_HEADER_BYTES);
    header.writeUInt32LE(frame.length, 0);
    header.writeBigUInt64LE(BigInt(index), 4);
    return [header, frame];
  });
  return Buffer.concat([head, ...parts]);
}
