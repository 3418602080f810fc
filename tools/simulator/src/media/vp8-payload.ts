const LARGEST_PAYLOAD_BYTES = 1150;
const DESCRIPTOR_BYTES = 4;

/**
 * Cuts a VP8 frame into RTP payloads, each with the payload descriptor of RFC 7741: X bit, 15-bit picture id, the S bit
 * on the first. The RTP marker belongs on the last one.
 */
export function packetizeVp8(frame: Buffer, pictureId: number): Buffer[] {
  const room = LARGEST_PAYLOAD_BYTES - DESCRIPTOR_BYTES;
  const count = Math.max(1, Math.ceil(frame.length / room));
  // Packets of equal size lose fewer bytes to a last tiny one.
  const size = Math.ceil(frame.length / count);
  return Array.from({ length: count }, (_, index) => {
    const part = frame.subarray(index * size, (index + 1) * size);
    const payload = Buffer.allocUnsafe(DESCRIPTOR_BYTES + part.length);
    payload[0] = 0x80 | (index === 0 ? 0x10 : 0);
    payload[1] = 0x80;
    payload.writeUInt16BE(0x8000 | (pictureId & 0x7fff), 2);
    part.copy(payload, DESCRIPTOR_BYTES);
    return payload;
  });
}
