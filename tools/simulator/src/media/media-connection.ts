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
} from 'werift';
import type { RTCDataChannel, RTCDtlsTransport } from 'werift';
import { packetizeH264 } from './h264-stream.ts';
import { addIncomingTracks } from './incoming-tracks.ts';
import { PACKET_SAMPLES, SAMPLE_RATE_HZ } from './pcm.ts';
import type { LoopFrame } from './video-loop.ts';
import type { ReceivedMedia } from './received-media.ts';
import { RtpStream } from './rtp-stream.ts';
import type { AudioPacket } from './audio-track.ts';
import { packetizeVp8 } from './vp8-payload.ts';

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
