import { randomInt } from 'node:crypto';
import {
  RtcpSenderInfo,
  RtcpSourceDescriptionPacket,
  RtcpSrPacket,
  RtpHeader,
  RtpPacket,
  SourceDescriptionChunk,
  SourceDescriptionItem,
} from 'werift';
import type { RTCRtpCodecParameters, RTCRtpSender, RTCRtpTransceiver } from 'werift';

export type OutgoingPacket = {
  payload: Buffer;
  /** Omitted: the first negotiated one. */
  mimeType?: string;
  /** In ticks of the stream's clock since the room's clock zero. */
  timestamp: number;
  marker: boolean;
  /** Contributing source, when a track of the pool carries a participant's audio. */
  source?: number;
  extension?: { uri: string; payload: Buffer };
};

const REPORT_EVERY_MS = 1000;
const SECONDS_1900_TO_1970 = 2_208_988_800;
const CNAME = 'simulator';

/**
 * One RTP stream whose timestamps are the room's clock: timestamp = offset + time since clock zero. Its sender reports
 * have exactly that, so a receiver can synchronize every stream of the room (the library's own reports have the time of
 * sending, some milliseconds off).
 */
export class RtpStream {
  readonly #transceiver: RTCRtpTransceiver;
  readonly #sender: RTCRtpSender;
  readonly #clock: { zero: number; rateHz: number; now: () => number };
  readonly #offset = randomInt(0x7fff_ffff);
  #sequenceNumber = randomInt(0x7fff);
  #packets = 0;
  #octets = 0;
  #reportedAt = -Infinity;

  constructor(transceiver: RTCRtpTransceiver, clock: { zero: number; rateHz: number; now: () => number }) {
    this.#transceiver = transceiver;
    this.#sender = transceiver.sender;
    this.#clock = clock;
    this.#sender.rtcpRunning = true;
  }

  /** There is a connection, and the other end has negotiated to receive this. */
  get taken(): boolean {
    const { stopped, dtlsTransport, codec } = this.#sender;
    const { currentDirection } = this.#transceiver;
    const wanted = currentDirection === 'sendonly' || currentDirection === 'sendrecv';
    return wanted && !stopped && dtlsTransport?.state === 'connected' && codec !== undefined;
  }

  /** Sends at once, or drops the packet without a receiver. */
  send(packet: OutgoingPacket): void {
    if (!this.taken || !this.#choose(packet.mimeType)) return;
    const sender = this.#sender;
    this.#sequenceNumber = (this.#sequenceNumber + 1) & 0xffff;
    this.#packets += 1;
    this.#octets += packet.payload.length;
    const header = new RtpHeader({
      sequenceNumber: this.#sequenceNumber,
      timestamp: (this.#offset + packet.timestamp) % 0x1_0000_0000,
      marker: packet.marker,
      csrc: packet.source === undefined ? [] : [packet.source],
      extensions: this.#extensions(packet),
    });
    ignoreLoss(sender.sendRtp(new RtpPacket(header, packet.payload)));
    this.#report();
  }

  get ssrc(): number {
    return this.#sender.ssrc;
  }

  stop(): void {
    this.#sender.stop();
  }

  /** False when the browser does not take this codec. */
  #choose(mimeType: string | undefined): boolean {
    const sender = this.#sender;
    if (mimeType === undefined || sender.codec?.mimeType.toLowerCase() === mimeType.toLowerCase()) return true;
    // The library sends the first negotiated codec; a sender in a call may change to any of the others.
    const { negotiatedCodecs } = sender as unknown as { negotiatedCodecs: RTCRtpCodecParameters[] };
    const codec = negotiatedCodecs.find((one) => one.mimeType.toLowerCase() === mimeType.toLowerCase());
    if (codec !== undefined) sender.codec = codec;
    return codec !== undefined;
  }

  #extensions(packet: OutgoingPacket) {
    const id = this.#extensionId(packet.extension?.uri);
    return packet.extension === undefined || id === undefined ? [] : [{ id, payload: packet.extension.payload }];
  }

  #extensionId(uri: string | undefined): number | undefined {
    // The library does not expose what was negotiated; the numbers are those of the offer.
    const { headerExtensions } = this.#sender as unknown as { headerExtensions: { uri: string; id: number }[] };
    return headerExtensions.find((extension) => extension.uri === uri)?.id;
  }

  #report(): void {
    const now = this.#clock.now();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    const ticks = Math.round(((now - this.#clock.zero) * this.#clock.rateHz) / 1000);
    const report = new RtcpSrPacket({
      ssrc: this.#sender.ssrc,
      senderInfo: new RtcpSenderInfo({
        ntpTimestamp: ntpOf(now),
        rtpTimestamp: (this.#offset + ticks) % 0x1_0000_0000,
        packetCount: this.#packets >>> 0,
        octetCount: this.#octets >>> 0,
      }),
    });
    const name = new RtcpSourceDescriptionPacket({
      chunks: [
        new SourceDescriptionChunk({
          source: this.#sender.ssrc,
          items: [new SourceDescriptionItem({ type: 1, text: CNAME })],
        }),
      ],
    });
    ignoreLoss(this.#sender.dtlsTransport.sendRtcp([report, name]));
  }
}

function ntpOf(epochMs: number): bigint {
  const seconds = Math.floor(epochMs / 1000);
  const fraction = Math.floor(((epochMs % 1000) / 1000) * 0x1_0000_0000);
  return (BigInt(seconds + SECONDS_1900_TO_1970) << 32n) | BigInt(fraction);
}

/** A packet that cannot be sent is a lost packet; the end of the connection is in its own state. */
function ignoreLoss(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}
