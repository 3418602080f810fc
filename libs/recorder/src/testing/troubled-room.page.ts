import type { PageMediaSource, PageMediaSourceGlobal } from '@rapporteur/contracts';
import { drawMarkerOn, drawParticipant, audioOf } from './room-signals.page.ts';

export interface TroubledRoomOptions {
  /** A video received over a connection and played in an element, or painted on a canvas. */
  readonly video: 'received' | 'painted';
  /** Where the beeps are: in the track that is offered, in an element beside it, or in what the page plays by WebAudio. */
  readonly audio: 'offered' | 'element' | 'played';
}

/** The faults that a test causes in the room, at `globalThis.rapporteurTrouble`. */
export interface TroubledRoom {
  offer(frames: boolean): void;
  /** The participant shares a screen, on whose canvas nothing is painted. */
  shareScreen(): void;
  /** The screen shows a slide, which is painted once. */
  paintSlide(): void;
  /** The sender switches to this codec, which is negotiated again. */
  switchTo(codec: string): Promise<void>;
  /** The sender sends a smaller video from now on, like a server that switches to another layer. */
  scaleDown(by: number): Promise<void>;
  /** Content of another site is painted on the canvas. */
  taint(address: string): Promise<void>;
  /** Everything that plays is silent, and no audio is processed by scripts. */
  fallSilent(): Promise<void>;
  /** The workers that the page has are gone. */
  endWorkers(): number;
}

const cameraSize = { width: 640, height: 360 };
const settledMs = 1_500;

/** A room of one participant with faults. */
export function install(options: TroubledRoomOptions): void {
  const zeroMs = Math.ceil(performance.now() / 1_000) * 1_000;
  const endWorkers = watchWorkers();
  const listeners = new Set<() => void>();
  let offered = true;
  const contexts: AudioContext[] = [];
  const beeps = audioOf(0, zeroMs, () => 0);
  const silence = audioOf(1, zeroMs, () => 0);
  const started = new Promise<void>((resolve) => document.addEventListener('DOMContentLoaded', () => resolve()));
  const stage = started.then(() => (options.video === 'painted' ? paint(zeroMs) : receive(zeroMs)));
  let track: MediaStreamTrack | null = null;
  let screen: MediaStreamTrack | null = null;
  const slide = Object.assign(document.createElement('canvas'), cameraSize);
  const surface = slide.getContext('2d');
  void stage.then(async (made) => {
    track = made.track;
    if (options.audio === 'element') playInElement(beeps);
    if (options.audio === 'played') contexts.push(await playByScript(beeps));
    document.title = 'Room prepared';
    setTimeout(() => (document.title = 'Room running'), Math.max(0, zeroMs + settledMs - performance.now()));
  });
  const source: PageMediaSource = {
    version: 2,
    audioTracks: () => [options.audio === 'offered' ? beeps : silence],
    shownVideo: () => {
      if (screen) return { id: 'screen', track: screen, participantName: 'Person', kind: 'screen' };
      return offered && track ? { id: 'participant', track, participantName: 'Person', kind: 'camera' } : null;
    },
    tiles: () => [
      { id: 'participant', kind: 'camera', participantName: 'Person', track: offered ? track : null, speaking: true },
    ],
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  (globalThis as PageMediaSourceGlobal).rapporteurMediaSource = source;
  const room: TroubledRoom = {
    offer: (frames) => {
      offered = frames;
      listeners.forEach((listener) => listener());
    },
    switchTo: async (codec) => await (await stage).switchTo(codec),
    scaleDown: async (by) => await (await stage).scaleDown(by),
    shareScreen: () => {
      [screen = null] = slide.captureStream().getVideoTracks();
      listeners.forEach((listener) => listener());
    },
    paintSlide: () => surface && drawMarkerOn(surface, { index: 0, participant: 1 }),
    taint: async (address) => await (await stage).taint(address),
    fallSilent: async () => {
      for (const element of document.querySelectorAll<HTMLMediaElement>('audio,video')) element.muted = true;
      const context = new AudioContext();
      await Promise.all([context, ...contexts].map((one) => one.suspend()));
      Object.assign(globalThis, { AudioContext: undefined, AudioWorkletNode: undefined });
    },
    endWorkers,
  };
  Object.assign(globalThis, { rapporteurTrouble: room });
}

interface Stage {
  readonly track: MediaStreamTrack;
  switchTo(codec: string): Promise<void>;
  scaleDown(by: number): Promise<void>;
  taint(address: string): Promise<void>;
}

function fill(element: HTMLElement): void {
  document.body.style.margin = '0';
  element.style.cssText = 'display: block; width: 100vw; height: 100vh';
  document.body.append(element);
}

async function paint(zeroMs: number): Promise<Stage> {
  const canvas = Object.assign(document.createElement('canvas'), cameraSize);
  fill(canvas);
  const surface = canvas.getContext('2d');
  if (!surface) throw new Error('no canvas');
  let foreign: HTMLImageElement | null = null;
  setInterval(() => {
    drawMarkerOn(surface, {
      index: Math.max(0, Math.floor(((performance.now() - zeroMs) / 1_000) * 25)),
      participant: 0,
    });
    if (foreign) surface.drawImage(foreign, 0, 0, 4, 4);
  }, 40);
  const [track] = canvas.captureStream().getVideoTracks();
  if (!track) throw new Error('no track');
  const none = async (): Promise<void> => undefined;
  const taint = async (address: string): Promise<void> => {
    const image = new Image();
    image.src = address;
    await image.decode();
    foreign = image;
  };
  return { track, switchTo: none, scaleDown: none, taint };
}

/** Two ends of a connection in one page: sent media come back like another participant's video. */
async function receive(zeroMs: number): Promise<Stage> {
  const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()];
  near.onicecandidate = ({ candidate }) => void far.addIceCandidate(candidate ?? undefined);
  far.onicecandidate = ({ candidate }) => void near.addIceCandidate(candidate ?? undefined);
  const sent = near.addTransceiver(drawParticipant(cameraSize, 0, zeroMs), { direction: 'sendonly' });
  const received = new Promise<MediaStreamTrack>((resolve) => {
    far.ontrack = ({ track }) => resolve(track);
  });
  const negotiate = async (): Promise<void> => {
    await near.setLocalDescription();
    await far.setRemoteDescription(near.localDescription!);
    await far.setLocalDescription();
    await near.setRemoteDescription(far.localDescription!);
  };
  await negotiate();
  const track = await received;
  const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true });
  video.srcObject = new MediaStream([track]);
  fill(video);
  await new Promise((resolve) => video.addEventListener('playing', resolve, { once: true }));
  return {
    track,
    switchTo: async (codec) => {
      const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
      sent.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType === codec));
      await negotiate();
    },
    scaleDown: async (by) => {
      const parameters = sent.sender.getParameters();
      for (const encoding of parameters.encodings) encoding.scaleResolutionDownBy = by;
      await sent.sender.setParameters(parameters);
    },
    taint: async () => undefined,
  };
}

function playInElement(track: MediaStreamTrack): void {
  const player = new Audio();
  player.srcObject = new MediaStream([track]);
  document.body.append(player);
  void player.play();
}

async function playByScript(track: MediaStreamTrack): Promise<AudioContext> {
  const context = new AudioContext();
  context.createMediaStreamSource(new MediaStream([track])).connect(context.destination);
  await context.resume();
  return context;
}

/** Allows the page to end workers that other scripts create. */
function watchWorkers(): () => number {
  const workers: Worker[] = [];
  globalThis.Worker = new Proxy(Worker, {
    construct(made, given: [string]) {
      const worker = new made(...given);
      workers.push(worker);
      return worker;
    },
  });
  return () => workers.splice(0).map((worker) => worker.terminate()).length;
}
