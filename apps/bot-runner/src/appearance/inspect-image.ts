const mostMegapixels = 40;

export interface ImageFacts {
  readonly contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** Why an image is not shown, as a message for the log. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

/**
 * Reads the type and size from a file's first bytes, before it is decoded. The declared content type is ignored.
 * @throws ImageRefused when it is not a JPEG, PNG or WebP, or the image is too large
 */
export function inspectImage(bytes: Buffer): ImageFacts {
  const facts = readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  if (facts === null || facts.width < 1 || facts.height < 1)
    throw new ImageRefused('It is no whole JPEG, PNG or WebP file.');
  if (facts.width * facts.height > mostMegapixels * 1_000_000)
    throw new ImageRefused(`It has ${facts.width}x${facts.height} pixels; ${mostMegapixels} megapixels are the most.`);
  return facts;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(bytes: Buffer): ImageFacts | null {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature) && textAt(bytes, 12, 4) === 'IHDR';
  return isPng ? { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

function readWebp(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  const size = webpSize(bytes, textAt(bytes, 12, 4));
  return size === null ? null : { contentType: 'image/webp', width: size[0], height: size[1] };
}

function webpSize(bytes: Buffer, chunk: string): readonly [number, number] | null {
  if (chunk === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (chunk !== 'VP8L' || bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** The size is in the frame header, which follows segments of any kind. */
function readJpeg(bytes: Buffer): ImageFacts | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === endOfImage || marker === startOfScan) return null;
    else if (isFrameHeader(marker))
      return { contentType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Of these sixteen markers, three are not frame headers. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length);
}
