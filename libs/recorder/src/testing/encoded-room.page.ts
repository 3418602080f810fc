import type { PageMediaSource, PageMediaSourceGlobal, PageVideo } from '@rapporteur/contracts';
import { drawPerson, soundOf } from './room-signals.page.ts';

export interface EncodedRoomOptions {
  /** AV1 is agreed on with H.264 at hand, as in calls where every end has its own. */
  readonly codec: 'H264' | 'VP8' | 'AV1';
  readonly pictures: readonly { readonly width: number; readonly height: number }[];
  /** The call is in a frame of the page, which offers what the frame does. */
  readonly framed?: boolean;
}

/** What a test does in the room and learns of it, at `globalThis.rapporteurEncodedRoom`. */
export interface EncodedRoom {
  /** Null: nobody is shown. */
  show(person: number | null): void;
  /** All senders turn to this codec, which is negotiated anew. */
  turnTo(codec: 'H264' | 'VP8'): Promise<void>;
  /** Of the shown person's receiver. */
  received(person: number): Promise<{ width: number; decoded: number; keyFramesAskedFor: number; freezes: number }>;
}

const connectedMs = 2_500;
const holdMs = 250;
const beforeCallMs = 500;

/** A room whose pictures and sound come over a network of this machine. */
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
  let sound: MediaStreamTrack | null = null;
  let link: RoomLink | null = null;
  // A page of a call connects when it has long been there.
  setTimeout(() => {
    link = new RoomLink(options.codec);
    const pictures = options.pictures.map((size, person) => drawPerson(size, person, zeroMs));
    void link.connect([...pictures, soundOf(0, zeroMs, () => 0)]).then((receivers) => {
      videos = receivers
        .filter(({ track }) => track.kind === 'video')
        .map((receiver, person) => ({
          id: `person-${person}`,
          track: receiver.track,
          receiver,
          personName: `Person ${person}`,
          kind: 'camera',
        }));
      for (const { track } of videos) playIn(document.createElement('video'), track);
      sound = receivers.find(({ track }) => track.kind === 'audio')?.track ?? null;
      // As every page does: sound that nobody plays waits in its receiver, seconds of it.
      if (sound) playIn(document.createElement('audio'), sound);
      setTimeout(() => (document.title = 'Room running'), Math.max(0, zeroMs + connectedMs - performance.now()));
    });
  }, beforeCallMs);
  const room: EncodedRoom = {
    show: (person) => {
      shown = person;
      for (const listener of listeners) listener();
    },
    turnTo: async (codec) => link?.turnTo(codec),
    received: (person) => figuresOf(videos[person]?.receiver ?? null),
  };
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => (sound ? [sound] : []),
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
    keyFramesAskedFor: figure('pliCount') + figure('firCount'),
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

  async turnTo(codec: string): Promise<void> {
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
