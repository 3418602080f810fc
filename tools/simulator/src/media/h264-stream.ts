const KEY_SLICE = 5;
const SLICE = 1;
const LARGEST_PAYLOAD_BYTES = 1150;
const JOINED = 24;
const FRAGMENT = 28;

function typeOf(unit: Buffer): number {
  return (unit[0] ?? 0) & 0x1f;
}

/** The units of a stream with start codes (Annex B). */
export function unitsOf(stream: Buffer): Buffer[] {
  const units: Buffer[] = [];
  const code = Buffer.from([0, 0, 1]);
  for (let at = stream.indexOf(code); at !== -1;) {
    const start = at + code.length;
    at = stream.indexOf(code, start);
    let end = at === -1 ? stream.length : at;
    while (end > start && stream[end - 1] === 0) end -= 1;
    if (end > start) units.push(stream.subarray(start, end));
  }
  return units;
}

/** One entry per frame, each with start codes. The encoder writes every frame as one slice. */
export function readAccessUnits(stream: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  let parts: Buffer[] = [];
  for (const unit of unitsOf(stream)) {
    parts.push(Buffer.from([0, 0, 0, 1]), unit);
    if (typeOf(unit) !== SLICE && typeOf(unit) !== KEY_SLICE) continue;
    frames.push(Buffer.concat(parts));
    parts = [];
  }
  return frames;
}

/** True when a frame can be decoded without the ones before it. */
export function isH264KeyFrame(frame: Buffer): boolean {
  return unitsOf(frame).some((unit) => typeOf(unit) === KEY_SLICE);
}

/**
 * Splits a frame into RTP payloads (RFC 6184, packetization mode 1): parameter sets are aggregated with its beginning,
 * long units are fragmented. The RTP marker belongs on the last one.
 */
export function packetizeH264(frame: Buffer): Buffer[] {
  const units = unitsOf(frame);
  const small = units.filter((unit) => typeOf(unit) !== SLICE && typeOf(unit) !== KEY_SLICE);
  const slices = units.filter((unit) => !small.includes(unit));
  const head = small.length === 0 ? [] : [small.length === 1 ? small[0]! : joined(small)];
  return [...head, ...slices.flatMap((unit) => (unit.length <= LARGEST_PAYLOAD_BYTES ? [unit] : fragments(unit)))];
}

function joined(units: readonly Buffer[]): Buffer {
  const importance = Math.max(...units.map((unit) => (unit[0] ?? 0) & 0x60));
  const parts = units.flatMap((unit) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(unit.length);
    return [length, unit];
  });
  return Buffer.concat([Buffer.from([importance | JOINED]), ...parts]);
}

function fragments(unit: Buffer): Buffer[] {
  const first = unit[0] ?? 0;
  const content = unit.subarray(1);
  const count = Math.ceil(content.length / (LARGEST_PAYLOAD_BYTES - 2));
  const size = Math.ceil(content.length / count);
  return Array.from({ length: count }, (_, index) => {
    const place = (index === 0 ? 0x80 : 0) | (index === count - 1 ? 0x40 : 0);
    const head = Buffer.from([(first & 0xe0) | FRAGMENT, place | (first & 0x1f)]);
    return Buffer.concat([head, content.subarray(index * size, (index + 1) * size)]);
  });
}
