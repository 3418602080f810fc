const AUDIO = 1;
const VIDEO = 2;
const HEADER_BYTES = 8;

/**
 * One media packet of a participant for a page that decodes by itself: kind, participant, key flag, tick (32 bits),
 * then the payload.
 */
export function mediaMessage(
  packet: { kind: 'audio' | 'video'; participantIndex: number; key: boolean; tick: number },
  payload: Buffer,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(packet.kind === 'audio' ? AUDIO : VIDEO, 0);
  header.writeUInt8(packet.participantIndex, 1);
  header.writeUInt8(packet.key ? 1 : 0, 2);
  header.writeUInt32BE(packet.tick >>> 0, 4);
  return Buffer.concat([header, payload]);
}

/** The same from a page that encodes by itself: an audio tick is a sample at 48 kHz. Null: an unknown message. */
export function readMediaMessage(content: Buffer): { kind: 'audio' | 'video'; tick: number; payload: Buffer } | null {
  if (content.length <= HEADER_BYTES) return null;
  const kind = ({ [AUDIO]: 'audio', [VIDEO]: 'video' } as const)[content.readUInt8(0)];
  return kind === undefined ? null : { kind, tick: content.readUInt32BE(4), payload: content.subarray(HEADER_BYTES) };
}
