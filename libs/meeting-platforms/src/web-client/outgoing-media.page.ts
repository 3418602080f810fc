// Runs in each frame of a meeting's page before its own scripts, when the bot has devices: serves the page's requests
// for a camera or a microphone with the bot's own frame and audio. The labels identify the devices.
import type { OutgoingDevices } from '../platform.ts';
import { postThrough } from '../page-post.page.ts';
import { BotCamera } from './bot-camera.page.ts';
import { BotMicrophone } from './bot-microphone.page.ts';

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

const labels = { videoinput: 'Rapporteur picture', audioinput: 'Rapporteur voice' } as const;
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
    const said = { deviceId: deviceIds[kind], groupId: 'rapporteur', kind, label: labels[kind] };
    const properties = Object.entries({ ...said, toJSON: () => said, getCapabilities: () => ({}) });
    const described = Object.fromEntries(properties.map(([name, value]) => [name, { value, enumerable: true }]));
    return Object.create(InputDeviceInfo.prototype, described) as MediaDeviceInfo;
  });
  devices.enumerateDevices = async function () {
    return [...ours, ...(await native.call(this))];
  };
}
