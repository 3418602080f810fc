const KINDS = { camera: 'videoinput', microphone: 'audioinput' };
const CONSTRAINTS = {
  camera: { video: { width: 1280, height: 720 } },
  microphone: { audio: true },
};

/**
 * The camera and the microphone of this browser's user. They are looked for when the page opens them; a browser
 * without any is not asked for them. A camera that is off is let go; a microphone that is off stays, and is silent.
 */
export class OwnDevices {
  constructor() {
    this.wanted = { camera: true, microphone: true };
    this.tracks = { camera: null, microphone: null };
    this.listeners = new Set();
    this.opened = false;
    this.turn = Promise.resolve();
  }

  /** `listener(state)` hears each change; state holds true for what is sent. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get state() {
    return { camera: this.isOn('camera'), microphone: this.isOn('microphone') };
  }

  isOn(kind) {
    return this.wanted[kind] && this.tracks[kind]?.readyState === 'live';
  }

  /** The track that is sent now; null: none. */
  track(kind) {
    return this.isOn(kind) ? this.tracks[kind] : null;
  }

  open() {
    this.opened = true;
    return this.serialized(async () => {
      await this.fit('camera');
      await this.fit('microphone');
    });
  }

  set(kind, on) {
    this.wanted[kind] = on;
    if (this.opened) void this.serialized(() => this.fit(kind));
  }

  stop() {
    this.wanted = { camera: false, microphone: false };
    for (const track of Object.values(this.tracks)) track?.stop();
    this.listeners.clear();
  }

  serialized(work) {
    this.turn = this.turn.then(work).then(
      () => this.notify(),
      () => this.notify(),
    );
    return this.turn;
  }

  async fit(kind) {
    const held = this.tracks[kind];
    if (this.wanted[kind] && held?.readyState !== 'live') this.tracks[kind] = await this.find(kind);
    if (kind === 'microphone' && this.tracks.microphone) this.tracks.microphone.enabled = this.wanted.microphone;
    if (kind === 'camera' && !this.wanted.camera) {
      held?.stop();
      this.tracks.camera = null;
    }
  }

  async find(kind) {
    const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    if (!devices.some((device) => device.kind === KINDS[kind])) return null;
    const stream = await navigator.mediaDevices.getUserMedia(CONSTRAINTS[kind]);
    return stream.getTracks()[0] ?? null;
  }

  notify() {
    for (const listener of this.listeners) listener(this.state);
  }
}

/** Sends the devices over the places that the server offered for them, now and whenever they change. */
export function sendOver(connection, sdp, devices) {
  const places = [...sdp.matchAll(/m=(audio|video)[^]*?(?=\r\nm=|$)/g)]
    .filter(([section]) => section.includes('a=recvonly'))
    .map(([section, kind]) => {
      const mid = /a=mid:(\S+)/.exec(section)?.[1];
      const transceiver = connection.getTransceivers().find((one) => one.mid === mid);
      if (transceiver) transceiver.direction = 'sendonly';
      return { sender: transceiver?.sender, kind: kind === 'audio' ? 'microphone' : 'camera' };
    });
  const put = () => {
    for (const { sender, kind } of places) void sender?.replaceTrack(devices.track(kind)).catch(() => undefined);
  };
  put();
  const stop = devices.listen(put);
  connection.addEventListener('connectionstatechange', () => connection.connectionState === 'closed' && stop());
}
