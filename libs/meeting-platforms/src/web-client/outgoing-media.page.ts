// Runs in each frame of a meeting's page before its own scripts, when the bot has devices: serves the page's requests
// for a camera or a microphone with the bot's own frame and audio. The labels identify the devices.
import { pageNow } from '@rapporteur/page-scripts/page-time';
import type { OutgoingDevices } from '../platform.ts';
import { postThrough } from '../page-post.page.ts';

const width = 1280;
const height = 720;
const ground = '#202124';
const framesPerSecond = 5;
const redrawMs = 1_000 / framesPerSecond;
/** Interval of repeating an unchanged frame, so that a participant who joins later gets it soon. */
const stillRedrawMs = 1_000;
/** After a change every frame is sent for this long, so that the encoder reaches full quality. */
const freshMs = 2_000;

/** A camera that shows one image, uncropped, in the middle of a plain ground. */
export class BotCamera {
  readonly #onOpened: () => void;
  readonly #tracks = new Set<MediaStreamTrack>();
  #canvas: HTMLCanvasElement | null = null;
  #context: CanvasRenderingContext2D | null = null;
  #image: ImageBitmap | null = null;
  #changedAtMs = 0;
  #drawnAtMs = 0;
  #shows = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(onOpened: () => void) {
    this.#onOpened = onOpened;
  }

  open(): MediaStreamTrack {
    const first = this.#canvas === null;
    const canvas = (this.#canvas ??= Object.assign(document.createElement('canvas'), { width, height }));
    this.#context ??= canvas.getContext('2d', { alpha: false });
    const track = canvas.captureStream(framesPerSecond).getVideoTracks()[0]!;
    // Sharp rather than smooth: a still image, often with text.
    track.contentHint = 'detail';
    this.#keep(track);
    this.#changedAtMs = pageNow();
    this.#timer ??= setInterval(() => this.#tick(), redrawMs);
    if (first) this.#onOpened();
    return track;
  }

  /** It is drawn while any track or clone of one is live: pages may keep a clone and stop the original. */
  #keep(track: MediaStreamTrack): MediaStreamTrack {
    const clone = track.clone.bind(track);
    track.clone = () => this.#keep(clone());
    this.#tracks.add(track);
    return track;
  }

  async show(base64: string | null, contentType: string): Promise<boolean> {
    const turn = (this.#shows += 1);
    try {
      const image = base64 === null ? null : await decodeImage(base64, contentType);
      // A later image was shown first.
      if (turn !== this.#shows) return true;
      this.#image?.close();
      this.#image = image;
      this.#changedAtMs = pageNow();
      return true;
    } catch {
      return false;
    }
  }

  #tick(): void {
    for (const track of this.#tracks) if (track.readyState === 'ended') this.#tracks.delete(track);
    if (this.#tracks.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
      return;
    }
    const nowMs = pageNow();
    if (nowMs - this.#changedAtMs > freshMs && nowMs - this.#drawnAtMs < stillRedrawMs) return;
    this.#drawnAtMs = nowMs;
    this.#draw();
  }

  #draw(): void {
    const context = this.#context;
    if (context === null) return;
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
    if (this.#image === null) return;
    const { width: wide, height: high } = this.#image;
    context.drawImage(this.#image, Math.round((width - wide) / 2), Math.round((height - high) / 2));
  }
}

/** Scaled down to fit: a small image is cheap to draw five times a second. */
async function decodeImage(base64: string, contentType: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const full = await createImageBitmap(new Blob([bytes], { type: contentType }));
  const scale = Math.min(width / full.width, height / full.height);
  const size = (length: number): number => Math.max(1, Math.round(length * scale));
  try {
    return await createImageBitmap(full, {
      resizeWidth: size(full.width),
      resizeHeight: size(full.height),
      resizeQuality: 'high',
    });
  } finally {
    full.close();
  }
}

export interface OutgoingMediaOptions {
  readonly devices: OutgoingDevices;
  /** Name of the binding that carries posts out of the page. */
  readonly postName: string;
}

export type OutgoingPost =
  /** The page has opened the device for the first time since its load. */
  | { readonly kind: 'camera-opened' }
  | { readonly kind: 'microphone-opened' }
  /** Samples played since the last clearing. */
  | { readonly kind: 'audio-reported'; readonly run: number; readonly samples: number };

/** The page script's driver of the devices in this frame. */
export interface OutgoingDriver {
  /** False when it can't be decoded. Base64 of an image file, or null for the plain ground. */
  showImage(base64: string | null, contentType: string): Promise<boolean>;
  /** Base64 of 16 bit mono at 48 kHz, appended to the queue. A new `run` clears the queue. False: no microphone. */
  playAudio(base64: string, run: number): boolean;
}

const labels = { videoinput: 'Rapporteur camera', audioinput: 'Rapporteur microphone' } as const;
type DeviceKind = keyof typeof labels;
const deviceIds: Readonly<Record<DeviceKind, string>> = {
  videoinput: 'rapporteur-image',
  audioinput: 'rapporteur-speech',
};

export function install({ devices, postName }: OutgoingMediaOptions): void {
  const page = globalThis as { rapporteurOutgoing?: OutgoingDriver } & Record<string, unknown>;
  if (globalThis.MediaDevices === undefined) return;
  const post = postThrough<OutgoingPost>(postName);
  const camera = new BotCamera(() => post({ kind: 'camera-opened' }));
  const microphone = new BotMicrophone(
    () => post({ kind: 'microphone-opened' }),
    (run, samples) => post({ kind: 'audio-reported', run, samples }),
  );
  page.rapporteurOutgoing = {
    showImage: (base64, contentType) => camera.show(base64, contentType),
    playAudio: (base64, run) => microphone.play(base64, run),
  };
  const own = {
    videoinput: devices.camera && allowed('camera') ? () => camera.open() : null,
    audioinput: devices.microphone && allowed('microphone') ? () => microphone.open() : null,
  } satisfies Record<DeviceKind, (() => MediaStreamTrack) | null>;
  respondToDevicePrompts(own);
  listDevices((Object.keys(own) as DeviceKind[]).filter((kind) => own[kind] !== null));
}

/** A frame without permission for a device gets none of the bot's. */
function allowed(feature: 'camera' | 'microphone'): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  return featurePolicy?.allowsFeature(feature) ?? true;
}

/** Requests for other devices go to the browser. */
function respondToDevicePrompts(own: Readonly<Record<DeviceKind, (() => MediaStreamTrack) | null>>): void {
  const devices = MediaDevices.prototype;
  const native = devices.getUserMedia;
  devices.getUserMedia = async function (constraints = {}) {
    const wanted = { videoinput: isWanted(constraints.video), audioinput: isWanted(constraints.audio) };
    const ours = (Object.keys(own) as DeviceKind[]).filter((kind) => wanted[kind] && own[kind] !== null);
    if (ours.length === 0) return await native.call(this, constraints);
    const rest = {
      ...(wanted.videoinput && own.videoinput === null ? { video: constraints.video! } : {}),
      ...(wanted.audioinput && own.audioinput === null ? { audio: constraints.audio! } : {}),
    };
    const others = Object.keys(rest).length === 0 ? [] : (await native.call(this, rest)).getTracks();
    return new MediaStream([...ours.map((kind) => dressed(own[kind]!(), kind)), ...others]);
  };
}

function isWanted(constraint: boolean | MediaTrackConstraints | undefined): boolean {
  return constraint !== undefined && constraint !== false;
}

/** Pages match a track to its device by these settings. */
function dressed(track: MediaStreamTrack, kind: DeviceKind): MediaStreamTrack {
  const settings = track.getSettings.bind(track);
  const clone = track.clone.bind(track);
  Object.defineProperty(track, 'label', { value: labels[kind] });
  track.getSettings = () => ({ ...settings(), deviceId: deviceIds[kind], groupId: 'rapporteur' });
  track.clone = () => dressed(clone(), kind);
  return track;
}

function listDevices(kinds: readonly DeviceKind[]): void {
  const devices = MediaDevices.prototype;
  const native = devices.enumerateDevices;
  const ours = kinds.map((kind) => {
    const facts = { deviceId: deviceIds[kind], groupId: 'rapporteur', kind, label: labels[kind] };
    const properties = Object.entries({ ...facts, toJSON: () => facts, getCapabilities: () => ({}) });
    const described = Object.fromEntries(properties.map(([name, value]) => [name, { value, enumerable: true }]));
    return Object.create(InputDeviceInfo.prototype, described) as MediaDeviceInfo;
  });
  devices.enumerateDevices = async function () {
    return [...ours, ...(await native.call(this))];
  };
}

const rateHz = 48_000;
/** Lead of audio that follows silence, so that a slightly late chunk still joins it. */
const leadSamples = rateHz * 0.08;
const reportMs = 200;

interface ScheduledAudio {
  readonly source: AudioBufferSourceNode;
  readonly startSample: number;
  readonly samples: number;
}

/** A microphone that plays the samples it is given, and silence between. */
class BotMicrophone {
  readonly #onOpened: () => void;
  readonly #onPlayed: (run: number, samples: number) => void;
  #context: AudioContext | null = null;
  #outlet: MediaStreamAudioDestinationNode | null = null;
  #scheduled: ScheduledAudio[] = [];
  #run = 0;
  /** Finished samples of this run. */
  #doneSamples = 0;
  #nextSample = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(onOpened: () => void, onPlayed: (run: number, samples: number) => void) {
    this.#onOpened = onOpened;
    this.#onPlayed = onPlayed;
  }

  open(): MediaStreamTrack {
    const first = this.#context === null;
    const context = (this.#context ??= new AudioContext({ sampleRate: rateHz }));
    const outlet = (this.#outlet ??= new MediaStreamAudioDestinationNode(context, { channelCount: 1 }));
    void context.resume().catch(() => undefined);
    if (first) {
      // Silence keeps the graph active: otherwise the first word is lost while it starts.
      const silence = new ConstantSourceNode(context, { offset: 0 });
      silence.connect(outlet);
      silence.start();
      this.#onOpened();
    }
    // A page that mutes may stop its track; the audio continues for the next one.
    return outlet.stream.getAudioTracks()[0]!.clone();
  }

  play(base64: string, run: number): boolean {
    const context = this.#context;
    if (context === null || this.#outlet === null) return false;
    if (run !== this.#run) this.#clear(run);
    const samples = samplesOf(base64);
    if (samples.length === 0) return true;
    const buffer = new AudioBuffer({ length: samples.length, numberOfChannels: 1, sampleRate: rateHz });
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(this.#outlet);
    const now = this.#nowSample();
    const startSample = this.#nextSample > now ? this.#nextSample : Math.ceil(now) + leadSamples;
    source.start(startSample / rateHz);
    this.#nextSample = startSample + samples.length;
    this.#scheduled.push({ source, startSample, samples: samples.length });
    this.#timer ??= setInterval(() => this.#report(), reportMs);
    return true;
  }

  #nowSample(): number {
    return (this.#context?.currentTime ?? 0) * rateHz;
  }

  #clear(run: number): void {
    for (const { source } of this.#scheduled) source.stop();
    this.#scheduled = [];
    this.#run = run;
    this.#doneSamples = 0;
    this.#nextSample = 0;
  }

  #report(): void {
    const now = this.#nowSample();
    while (this.#scheduled[0] !== undefined && this.#scheduled[0].startSample + this.#scheduled[0].samples <= now) {
      this.#doneSamples += this.#scheduled.shift()!.samples;
    }
    const [current] = this.#scheduled;
    const begun = current === undefined ? 0 : Math.max(0, Math.floor(now - current.startSample));
    this.#onPlayed(this.#run, this.#doneSamples + begun);
    if (current !== undefined || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

function samplesOf(base64: string): Float32Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const pcm = new Int16Array(bytes.buffer, 0, Math.floor(bytes.length / 2));
  return Float32Array.from(pcm, (value) => value / 32_768);
}
