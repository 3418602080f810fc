/**
 * A key frame that carries its decoder's parameters (SPS, PPS) itself, for a stream whose beginning says others. `avcC`
 * is the AVCDecoderConfigurationRecord; a damaged one adds nothing. Lengths have four bytes, as our encoder writes them.
 */
export function withParameterSets(keyFrame: Uint8Array, avcC: Uint8Array): Uint8Array {
  return Buffer.concat([parameterSetBytes(avcC), keyFrame]);
}

/** What such a key frame begins with. */
export function parameterSetBytes(avcC: Uint8Array): Buffer {
  const units = parameterSets(avcC).flatMap((unit) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(unit.length, 0);
    return [length, unit];
  });
  return Buffer.concat(units);
}

/** The parameter sets of a configuration record, in their order; none when it is cut. */
function parameterSets(avcC: Uint8Array): Uint8Array[] {
  const view = Buffer.from(avcC.buffer, avcC.byteOffset, avcC.byteLength);
  const sets: Uint8Array[] = [];
  let at = 5;
  for (const mask of [0x1f, 0xff]) {
    const count = (view[at] ?? 0) & mask;
    at += 1;
    for (let index = 0; index < count; index += 1) {
      const end = at + 2 + (view[at] ?? 0) * 256 + (view[at + 1] ?? 0);
      if (end > view.length) return [];
      sets.push(view.subarray(at + 2, end));
      at = end;
    }
  }
  return sets;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
