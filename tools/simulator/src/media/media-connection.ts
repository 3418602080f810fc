import {
  MediaStream,
  MediaStreamTrack,
  PictureLossIndication,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtcpPayloadSpecificFeedback,
  useAudioLevelIndication,
  useNACK,
  usePLI,
  useSdesMid,
  Vp8RtpPayload,
} from 'werift';
import type { RTCDataChannel, RTCDtlsTransport, RTCRtpTransceiver, RtpPacket } from 'werift';
import { packetizeH264 } from './h264-stream.ts';
import { PACKET_SAMPLES, SAMPLE_RATE_HZ } from './pcm.ts';
import type { LoopFrame } from './video-loop.ts';
import type { ReceivedMedia } from './received-media.ts';
import { RtpStream } from './rtp-stream.ts';
import type { AudioPacket } from './audio-track.ts';

const KEY_FRAME_EVERY_MS = 500;
const LARGEST_FRAME_BYTES = 2 * 1024 * 1024;

/** Receivers for the browser's microphone and camera; received media are stored. */
function addIncomingTracks(connection: RTCPeerConnection, received: ReceivedMedia): void {
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

export type MediaConnectionOptions = {
  /** MediaStream id of each audio track, in order; the maximum number of tracks. */
  audioStreamIds: readonly string[];
  videoStreamIds: readonly string[];
  /** Label of the data channel that the server opens. */
  channelLabel: string;
  /** More channels that the server opens. */
  furtherChannels?: readonly string[];
  clockZero: number;
  framesPerSecond: number;
  now: () => number;
  /** Only loopback addresses are offered when true. */
  loopbackOnly: boolean;
  /** Storage of the browser's camera and microphone media. */
  received: ReceivedMedia;
  onState: (state: 'connected' | 'closed') => void;
  onChannelOpen: () => void;
  /** Number of video packets sent. */
  onVideoPackets: (packets: number) => void;
};

/** One browser's media connection, as the server's side of it. */
export type MediaConnection = {
  offerSdp: string;
  accept(answerSdp: string): Promise<void>;
  /** `source`: the contributing source written into the packet; absent: none. Ticks are 20 ms since clock zero. */
  sendAudio(track: number, packet: AudioPacket, packetTick: number, source?: number): void;
  sendVideo(track: number, frame: LoopFrame, frameTick: number): void;
  /** Calls back with the number of each video track of which the browser requests a key frame. */
  onKeyFrameWanted(wanted: (track: number) => void): void;
  /** Without a label on the first channel. Dropped while there is no such open channel, of the page's or ours. */
  sendOnChannel(payload: Buffer, label?: string): void;
  close(): Promise<void>;
};

const OPUS = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 });
const VP8 = new RTCRtpCodecParameters({
  mimeType: 'video/VP8',
  clockRate: 90_000,
  payloadType: 96,
  rtcpFeedback: [useNACK(), usePLI()],
});
/** Frames that the browser sends are read as VP8 only. */
const H264 = new RTCRtpCodecParameters({
  mimeType: 'video/H264',
  clockRate: 90_000,
  payloadType: 102,
  parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  rtcpFeedback: [useNACK(), usePLI()],
  direction: 'sendonly',
});
/** More records than a handshake with its repetitions can have. */
const FIRST_FREE_RECORD = 1000;
const VIDEO_CLOCK_HZ = 90_000;
const LONGEST_QUEUE_BYTES = 4 * 1024 * 1024;
/** A page may open channels too, and bots open more in it. */
const MOST_CHANNELS = 16;

/** Opens the connection and creates the offer (no trickling: the offer has all candidates). */
export async function openMediaConnection(options: MediaConnectionOptions): Promise<MediaConnection> {
  const connection = createConnection(options.loopbackOnly);
  const clock = { zero: options.clockZero, now: options.now };
  const audio = options.audioStreamIds.map((id) =>
    addStream(connection, 'audio', id, { ...clock, rateHz: SAMPLE_RATE_HZ }),
  );
  const video = options.videoStreamIds.map((id) =>
    addStream(connection, 'video', id, { ...clock, rateHz: VIDEO_CLOCK_HZ }),
  );
  addIncomingTracks(connection, options.received);
  const channel = connection.createDataChannel(options.channelLabel);
  const channels = new Map([[options.channelLabel, channel]]);
  for (const label of options.furtherChannels ?? []) channels.set(label, connection.createDataChannel(label));
  connection.onDataChannel.subscribe((opened) => {
    if (channels.size < MOST_CHANNELS && !channels.has(opened.label)) channels.set(opened.label, opened);
  });
  for (const transport of connection.dtlsTransports) skipUsedRecordNumbers(transport);
  watchState(connection, channel, options);
  const levelExtension = useAudioLevelIndication().uri;
  await connection.setLocalDescription(await connection.createOffer());
  const offerSdp = connection.localDescription?.sdp ?? '';
  return {
    offerSdp: options.loopbackOnly ? keepLoopbackCandidates(offerSdp) : offerSdp,
    accept: async (sdp) => {
      await connection.setRemoteDescription({ type: 'answer', sdp });
    },
    sendOnChannel: (payload, label = options.channelLabel) => {
      const to = channels.get(label);
      if (to?.readyState === 'open' && to.bufferedAmount < LONGEST_QUEUE_BYTES) to.send(payload);
    },
    sendAudio: (track, packet, packetTick, source) => {
      const timestamp = packetTick * PACKET_SAMPLES;
      // The top bit marks speech; a beep without speech is level 127 and no speech.
      const level = Buffer.from([packet.levelDbov < 127 ? 0x80 | packet.levelDbov : 127]);
      const extension = { uri: levelExtension, payload: level };
      const contributing = source === undefined ? {} : { source };
      audio[track]?.send({
        payload: packet.payload,
        timestamp,
        marker: packet.startsSpurt,
        ...contributing,
        extension,
      });
    },
    sendVideo: (track, { codec, bytes }, frameTick) => {
      const timestamp = Math.round((frameTick * VIDEO_CLOCK_HZ) / options.framesPerSecond);
      if (video[track]?.taken !== true) return;
      const { mimeType } = codec === 'vp8' ? VP8 : H264;
      const payloads = codec === 'vp8' ? packetizeVp8(bytes, frameTick) : packetizeH264(bytes);
      payloads.forEach((payload, index) =>
        video[track]?.send({ payload, mimeType, timestamp, marker: index === payloads.length - 1 }),
      );
      options.onVideoPackets(payloads.length);
    },
    onKeyFrameWanted: (wanted) =>
      eachPictureLossIndication(connection, (ssrc) => {
        const track = video.findIndex((stream) => stream.ssrc === ssrc);
        if (track !== -1) wanted(track);
      }),
    close: async () => {
      for (const stream of [...audio, ...video]) stream.stop();
      await connection.close();
    },
  };
}

/** werift delivers a picture loss indication by the SSRC of its sender, which may be any transceiver. */
function eachPictureLossIndication(connection: RTCPeerConnection, lost: (ssrc: number) => void): void {
  const read = (packet: unknown): void => {
    if (!(packet instanceof RtcpPayloadSpecificFeedback)) return;
    if (packet.feedback instanceof PictureLossIndication) lost(packet.feedback.mediaSsrc);
  };
  for (const { sender, receiver } of connection.getTransceivers()) {
    sender.onRtcp.subscribe(read);
    receiver.onRtcp.subscribe(read);
  }
}

function createConnection(loopbackOnly: boolean): RTCPeerConnection {
  return new RTCPeerConnection({
    codecs: { audio: [OPUS], video: [VP8, H264] },
    headerExtensions: { audio: [useSdesMid(), useAudioLevelIndication()], video: [useSdesMid()] },
    iceServers: [],
    iceUseIpv6: false,
    iceUseTcp: false,
    bundlePolicy: 'max-bundle',
    ...(loopbackOnly
      ? { iceAdditionalHostAddresses: ['127.0.0.1'], iceInterfaceAddresses: { udp4: '127.0.0.1' } }
      : {}),
  });
}

/**
 * werift numbers its DTLS "finished" record on from the handshake and then counts from zero again, so the record with
 * that number looks like a replay to the browser, and a data-channel message is lost for a second.
 */
function skipUsedRecordNumbers(transport: RTCDtlsTransport): void {
  transport.onStateChange.subscribe((state) => {
    const numbers = transport.dtls?.dtls;
    if (state === 'connected' && numbers !== undefined) {
      numbers.recordSequenceNumber = Math.max(numbers.recordSequenceNumber, FIRST_FREE_RECORD);
    }
  });
}

function addStream(
  connection: RTCPeerConnection,
  kind: 'audio' | 'video',
  streamId: string,
  clock: { zero: number; rateHz: number; now: () => number },
): RtpStream {
  const track = new MediaStreamTrack({ kind });
  const stream = new MediaStream({ id: streamId });
  return new RtpStream(connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] }), clock);
}

function watchState(connection: RTCPeerConnection, channel: RTCDataChannel, options: MediaConnectionOptions): void {
  connection.connectionStateChange.subscribe((state) => {
    if (state === 'connected') options.onState('connected');
    if (state === 'failed' || state === 'closed') options.onState('closed');
  });
  channel.stateChanged.subscribe((state) => {
    if (state === 'open') options.onChannelOpen();
  });
}

function keepLoopbackCandidates(sdp: string): string {
  const wanted = (line: string) => !line.startsWith('a=candidate:') || line.includes(' 127.0.0.1 ');
  return sdp.split('\r\n').filter(wanted).join('\r\n');
}
