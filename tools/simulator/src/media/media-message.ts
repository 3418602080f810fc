const SOUND = 1;
const PICTURE = 2;
const HEADER_BYTES = 8;

/**
 * One packet of somebody's media as it goes to a page that decodes by itself: kind, person, key flag,
 * tick (32 bits), then the payload.
 */
export function mediaMessage(
  packet: { kind: 'sound' | 'picture'; personIndex: number; key: boolean; tick: number },
  payload: Buffer,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(packet.kind === 'sound' ? SOUND : PICTURE, 0);
  header.writeUInt8(packet.personIndex, 1);
  header.writeUInt8(packet.key ? 1 : 0, 2);
  header.writeUInt32BE(packet.tick >>> 0, 4);
  return Buffer.concat([header, payload]);
}
