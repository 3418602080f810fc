import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';
import { drawParticipant, audioOf } from './room-signals.page.ts';

export interface EncodedRoomOptions {
  /** AV1 is agreed on with H.264 at hand, as in calls where every end has its own. */
  readonly codec: 'H264' | 'VP8' | 'AV1';
  readonly frames: readonly { readonly width: number; readonly height: number }[];
  /** The call is in a frame of the page, which offers what the frame does. */
  readonly framed?: boolean;
}

/** What a test does in the room and learns of it, at `globalThis.rapporteurEncodedRoom`. */
export interface EncodedRoom {
  /** Null: nobody is shown. */
  show(participant: number | null): void;
  /** All senders turn to this codec, which is negotiated anew. */
  switchTo(codec: 'H264' | 'VP8'): Promise<void>;
  /** Of the shown participant's receiver. */
  received(
    participant: number,
  ): Promise<{ width: number; decoded: number; keyFramesRequested: number; freezes: number }>;
}

const connectedMs = 2_500;
const holdMs = 250;
const beforeCallMs = 500;

/** A room whose video and audio come over a network of this machine. */
export function install(options: EncodedRoomOptions): void {
  if (options.framed && globalThis.window === globalThis.top) openFrame();
  else openRoom(options);
}

function openFrame(): void {
  document.addEventListener('DOMContentLoaded', () => {
    const frame = document.createElement('iframe');
    frame.width = '1000';
    frame.height = '600';
    frame.src = '/';
    document.body.append(frame);
    setInterval(() => {
      const { rapporteurEncodedRoom, rapporteurMediaSource } = frame.contentWindow as Window &
        PageMediaSourceGlobal & { rapporteurEncodedRoom?: EncodedRoom };
      Object.assign(globalThis, { rapporteurEncodedRoom, rapporteurMediaSource });
      if (frame.contentDocument?.title === 'Room running') document.title = 'Room running';
    }, 100);
  });
}

function openRoom(options: EncodedRoomOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const listeners = new Set<() => void>();
  let shown: number | null = 0;
  let videos: PageVideo[] = [];
  let audio: MediaStreamTrack | null = null;
  let link: RoomLink | null = null;
  // A page of a call connects when it has long been there.
  setTimeout(() => {
    link = new RoomLink(options.codec);
    const frames = options.frames.map((size, participant) => drawParticipant(size, participant, zeroMs));
    void link.connect([...frames, audioOf(0, zeroMs, () => 0)]).then((receivers) => {
      videos = receivers
        .filter(({ track }) => track.kind === 'video')
        .map((receiver, participant) => ({
          id: `person-${participant}`,
          track: receiver.track,
          receiver,
          participantName: `Person ${participant}`,
          kind: 'camera',
        }));
      for (const { track } of videos) playIn(document.createElement('video'), track);
      audio = receivers.find(({ track }) => track.kind === 'audio')?.track ?? null;
      // As every page does: audio that nobody plays waits in its receiver, seconds of it.
      if (audio) playIn(document.createElement('audio'), audio);
      setTimeout(() => (document.title = 'Room running'), Math.max(0, zeroMs + connectedMs - performance.now()));
    });
  }, beforeCallMs);
  const room: EncodedRoom = {
    show: (participant) => {
      shown = participant;
      for (const listener of listeners) listener();
    },
    switchTo: async (codec) => link?.switchTo(codec),
    received: (participant) => figuresOf(videos[participant]?.receiver ?? null),
  };
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => (audio ? [audio] : []),
    shownVideo: () => (shown === null ? null : (videos[shown] ?? null)),
    tiles: () => [],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  Object.assign(globalThis, { rapporteurEncodedRoom: room });
  (globalThis as PageMediaSourceGlobal).rapporteurMediaSource = source;
}

function playIn(element: HTMLMediaElement, track: MediaStreamTrack): void {
  element.srcObject = new MediaStream([track]);
  document.body.append(element);
  void element.play();
}

async function figuresOf(receiver: RTCRtpReceiver | null) {
  const report = [...((await receiver?.getStats()) ?? [])].map(([, entry]) => entry as Record<string, number | string>);
  const inbound = report.find((entry) => entry['type'] === 'inbound-rtp') ?? {};
  const figure = (name: string): number => Number(inbound[name] ?? 0);
  return {
    width: figure('frameWidth'),
    decoded: figure('framesDecoded'),
    keyFramesRequested: figure('pliCount') + figure('firCount'),
    freezes: figure('freezeCount'),
  };
}

/** Two ends of one connection, both here. */
class RoomLink {
  readonly #near = new RTCPeerConnection();
  readonly #far = new RTCPeerConnection();
  #codec: string;

  constructor(codec: string) {
    this.#codec = codec;
  }

  /** In the order of the tracks. */
  async connect(tracks: readonly MediaStreamTrack[]): Promise<RTCRtpReceiver[]> {
    const [near, far] = [this.#near, this.#far];
    near.onicecandidate = ({ candidate }) => void far.addIceCandidate(candidate ?? undefined);
    far.onicecandidate = ({ candidate }) => void near.addIceCandidate(candidate ?? undefined);
    far.ontrack = ({ receiver }) => (receiver.jitterBufferTarget = holdMs);
    for (const track of tracks) near.addTransceiver(track, { direction: 'sendonly', streams: [new MediaStream()] });
    await this.#negotiate();
    for (const sender of near.getSenders()) {
      const parameters = sender.getParameters() as RTCRtpSendParameters & { degradationPreference?: string };
      await sender.setParameters({ ...parameters, degradationPreference: 'maintain-resolution' } as typeof parameters);
    }
    return far.getReceivers();
  }

  async switchTo(codec: string): Promise<void> {
    this.#codec = codec;
    await this.#negotiate();
  }

  async #negotiate(): Promise<void> {
    const names = this.#codec === 'AV1' ? ['AV1', 'H264'] : [this.#codec];
    const known = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
    const wanted = names.flatMap((name) => known.filter(({ mimeType }) => mimeType === `video/${name}`));
    for (const transceiver of this.#near.getTransceivers())
      if (transceiver.sender.track?.kind === 'video') transceiver.setCodecPreferences(wanted);
    await this.#near.setLocalDescription();
    await this.#far.setRemoteDescription(this.#near.localDescription ?? { type: 'offer' });
    await this.#far.setLocalDescription();
    await this.#near.setRemoteDescription(this.#far.localDescription ?? { type: 'answer' });
  }
}
