import { Vp8RtpPayload } from 'werift';
import type { RTCPeerConnection, RTCRtpTransceiver, RtpPacket } from 'werift';
import type { ReceivedMedia } from './received-media.ts';

const KEY_FRAME_EVERY_MS = 500;
const LARGEST_FRAME_BYTES = 2 * 1024 * 1024;

/** Receivers for the browser's microphone and camera; received media are stored. */
export function addIncomingTracks(connection: RTCPeerConnection, received: ReceivedMedia): void {
  const audio = connection.addTransceiver('audio', { direction: 'recvonly' });
  const video = connection.addTransceiver('video', { direction: 'recvonly' });
  audio.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ payload, header }) => received.audio(payload, header.timestamp));
  });
  video.onTrack.subscribe((track) => {
    const frames = new FrameAssembly((frame, follows, ssrc) => {
      if (received.video(frame, follows)) requestKeyFrame(video, ssrc);
    });
    track.onReceiveRtp.subscribe((packet) => frames.take(packet));
  });
  const requested = { atMs: 0 };
  function requestKeyFrame({ receiver }: RTCRtpTransceiver, ssrc: number): void {
    const nowMs = performance.now();
    if (nowMs - requested.atMs < KEY_FRAME_EVERY_MS) return;
    requested.atMs = nowMs;
    receiver.sendRtcpPLI(ssrc).catch(() => undefined);
  }
}

/** Reassembles the packets of a frame. An incomplete frame is left out, and counts as missing. */
class FrameAssembly {
  readonly #onFrame: (frame: Buffer, follows: boolean, ssrc: number) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  #whole = false;
  #follows = true;
  #nextSequence: number | null = null;

  constructor(onFrame: (frame: Buffer, follows: boolean, ssrc: number) => void) {
    this.#onFrame = onFrame;
  }

  take({ header, payload }: RtpPacket): void {
    // Padding packets carry no media.
    const gap = this.#nextSequence !== null && header.sequenceNumber !== this.#nextSequence;
    this.#nextSequence = (header.sequenceNumber + 1) & 0xffff;
    if (gap) {
      this.#whole = false;
      this.#follows = false;
    }
    if (payload.length === 0) return;
    const part = Vp8RtpPayload.deSerialize(payload);
    if (part.isPartitionHead && part.pid === 0) {
      this.#parts = [];
      this.#bytes = 0;
      this.#whole = true;
    }
    this.#bytes += part.payload.length;
    if (this.#bytes > LARGEST_FRAME_BYTES) this.#whole = false;
    if (this.#whole) this.#parts.push(part.payload);
    if (!header.marker) return;
    if (this.#whole) this.#onFrame(Buffer.concat(this.#parts), this.#follows, header.ssrc);
    this.#follows = this.#whole && (this.#follows || part.isKeyframe);
    this.#whole = false;
  }
}
