import { randomInt } from 'node:crypto';
import {
  MediaStream,
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  useAudioLevelIndication,
  useNACK,
  usePLI,
  useSdesMid,
} from 'werift';
import type { RTCDataChannel, RTCDtlsTransport } from 'werift';
import { AUDIO_POOL_SIZE } from '../media/broadcast.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { PACKET_SAMPLES } from '../media/pcm.ts';
import { packetizeVp8 } from '../media/vp8-payload.ts';
import { RtpStream } from './rtp-stream.ts';

export type AttendeeMediaOptions = {
  /** In the order of the room's people. */
  people: readonly { audioStreamId: string; videoStreamId: string }[];
  clockZero: number;
  framesPerSecond: number;
  now: () => number;
  /** Only loopback addresses are offered when true. */
  loopbackOnly: boolean;
  onState: (state: 'connected' | 'closed') => void;
  onCollectionsOpen: () => void;
};

/** One browser's media connection, as the server's side of it: offers, sends, never receives media. */
export type AttendeeMedia = MediaSink & {
  offerSdp: string;
  accept(answerSdp: string): Promise<void>;
  /** Sent on the `collections` channel; dropped while that is not open. */
  sendCollections(payload: Buffer): void;
  close(): Promise<void>;
};

const OPUS = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 });
const VP8 = new RTCRtpCodecParameters({
  mimeType: 'video/VP8',
  clockRate: 90_000,
  payloadType: 96,
  rtcpFeedback: [useNACK(), usePLI()],
});
/** More records than a handshake with its repetitions can have. */
const FIRST_FREE_RECORD = 1000;
const VIDEO_CLOCK_HZ = 90_000;
const LONGEST_QUEUE_BYTES = 4 * 1024 * 1024;

/** Opens the connection and makes the offer (no trickling: the offer holds all candidates). */
export async function openAttendeeMedia(options: AttendeeMediaOptions): Promise<AttendeeMedia> {
  const connection = createConnection(options.loopbackOnly);
  const clock = { zero: options.clockZero, now: options.now };
  const slots = Array.from({ length: AUDIO_POOL_SIZE }, (_, slot) =>
    addStream(connection, 'audio', `slot-${slot}-${randomInt(1_000_000)}`, { ...clock, rateHz: 48_000 }),
  );
  const cameras = options.people.map((person) =>
    addStream(connection, 'video', person.videoStreamId, { ...clock, rateHz: VIDEO_CLOCK_HZ }),
  );
  const collections = connection.createDataChannel('collections');
  for (const transport of connection.dtlsTransports) skipUsedRecordNumbers(transport);
  watchState(connection, collections, options);
  const levelExtension = useAudioLevelIndication().uri;
  await connection.setLocalDescription(await connection.createOffer());
  const offerSdp = connection.localDescription?.sdp ?? '';
  return {
    offerSdp: options.loopbackOnly ? keepLoopbackCandidates(offerSdp) : offerSdp,
    accept: async (sdp) => {
      await connection.setRemoteDescription({ type: 'answer', sdp });
    },
    sendCollections: (payload) => {
      if (collections.readyState === 'open' && collections.bufferedAmount < LONGEST_QUEUE_BYTES)
        collections.send(payload);
    },
    sendSound: (slot, personIndex, packet, packetTick) => {
      const source = Number(options.people[personIndex]?.audioStreamId ?? 0);
      const timestamp = packetTick * PACKET_SAMPLES;
      // The top bit says "this is voice"; a beep without speech is level 127 and no voice.
      const level = Buffer.from([packet.levelDbov < 127 ? 0x80 | packet.levelDbov : 127]);
      const extension = { uri: levelExtension, payload: level };
      slots[slot]?.send({ payload: packet.payload, timestamp, marker: packet.startsSpurt, source, extension });
    },
    sendFrame: (personIndex, frame, frameTick) => {
      const timestamp = Math.round((frameTick * VIDEO_CLOCK_HZ) / options.framesPerSecond);
      const payloads = packetizeVp8(frame, frameTick);
      payloads.forEach((payload, index) =>
        cameras[personIndex]?.send({ payload, timestamp, marker: index === payloads.length - 1 }),
      );
    },
    close: async () => {
      for (const stream of [...slots, ...cameras]) stream.stop();
      await connection.close();
    },
  };
}

function createConnection(loopbackOnly: boolean): RTCPeerConnection {
  return new RTCPeerConnection({
    codecs: { audio: [OPUS], video: [VP8] },
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
 * werift numbers its DTLS "finished" record on from the handshake and then counts from zero again, so the record that
 * reaches that number looks like a replay to the browser, and a data-channel message is lost for a second.
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
  const { sender } = connection.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
  return new RtpStream(sender, clock);
}

function watchState(connection: RTCPeerConnection, channel: RTCDataChannel, options: AttendeeMediaOptions): void {
  connection.connectionStateChange.subscribe((state) => {
    if (state === 'connected') options.onState('connected');
    if (state === 'failed' || state === 'closed') options.onState('closed');
  });
  channel.stateChanged.subscribe((state) => {
    if (state === 'open') options.onCollectionsOpen();
  });
}

function keepLoopbackCandidates(sdp: string): string {
  const wanted = (line: string) => !line.startsWith('a=candidate:') || line.includes(' 127.0.0.1 ');
  return sdp.split('\r\n').filter(wanted).join('\r\n');
}
