// What this browser sends of its own: encoded here, sent over the signalling socket like everybody else's.
const AUDIO = 1;
const VIDEO = 2;
const HEADER_BYTES = 8;
const KEY_FRAME_EVERY = 25;
const SAMPLE_RATE = 48_000;
const MICROSECONDS = 1_000_000;

export class OwnMedia {
  constructor(devices, send) {
    this.send = send;
    this.sending = { camera: null, microphone: null };
    const put = () => {
      this.put('camera', devices.track('camera'), sendFrames);
      this.put('microphone', devices.track('microphone'), sendAudio);
    };
    this.stopListening = devices.listen(put);
    put();
  }

  put(kind, track, start) {
    if (this.sending[kind]?.track === track) return;
    this.sending[kind]?.stop();
    this.sending[kind] = track === null ? null : { track, stop: start(track, (...parts) => this.post(...parts)) };
  }

  post(kind, chunk, tick) {
    const message = new Uint8Array(HEADER_BYTES + chunk.byteLength);
    const view = new DataView(message.buffer);
    view.setUint8(0, kind);
    view.setUint8(2, chunk.type === 'key' ? 1 : 0);
    view.setUint32(4, tick >>> 0);
    chunk.copyTo(message.subarray(HEADER_BYTES));
    this.send(message.buffer);
  }

  stop() {
    this.stopListening();
    for (const one of Object.values(this.sending)) one?.stop();
  }
}

/** Reads a track until it is stopped; `take(data)` gets each frame or block and closes nothing. */
function readTrack(track, take, over) {
  const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      take(value);
      value.close();
    }
    over();
  };
  read().catch(over);
  return () => void reader.cancel().catch(() => undefined);
}

function sendFrames(track, post) {
  let count = 0;
  const encoder = new VideoEncoder({
    output: (chunk) => post(VIDEO, chunk, count),
    error: () => undefined,
  });
  const take = (frame) => {
    if (encoder.state === 'closed') return;
    if (encoder.state === 'unconfigured') {
      const { displayWidth: width, displayHeight: height } = frame;
      encoder.configure({ codec: 'vp8', width, height, bitrate: 1_000_000, latencyMode: 'realtime' });
    }
    encoder.encode(frame, { keyFrame: count % KEY_FRAME_EVERY === 0 });
    count += 1;
  };
  return readTrack(track, take, () => encoder.state !== 'closed' && encoder.close());
}

function sendAudio(track, post) {
  const encoder = new AudioEncoder({
    output: (chunk) => post(AUDIO, chunk, Math.round((chunk.timestamp * SAMPLE_RATE) / MICROSECONDS)),
    error: () => undefined,
  });
  const take = (block) => {
    if (encoder.state === 'closed') return;
    if (encoder.state === 'unconfigured') {
      const { sampleRate, numberOfChannels } = block;
      encoder.configure({ codec: 'opus', sampleRate, numberOfChannels, bitrate: 48_000 });
    }
    encoder.encode(block);
  };
  return readTrack(track, take, () => encoder.state !== 'closed' && encoder.close());
}
