// Audio and video come over the signalling socket and are decoded here: there are no receivers and no tracks. As the real
// client's WebAssembly decoder does, this one leaves each frame in a buffer of pixels, which is put into the canvas.
import { AudioPlayer } from '/page/audio-player.js';

const AUDIO = 1;
const HEADER_BYTES = 8;
const SAMPLE_RATE = 48_000;
/** Frames are shown as late as the audio is played. */
const VIDEO_AFTER_MS = 150;

export class CallMedia {
  constructor({ muted }) {
    this.muted = muted;
    this.context = new AudioContext({ sampleRate: SAMPLE_RATE });
    this.output = this.context.createGain();
    this.output.connect(this.context.destination);
    this.context.resume().catch(() => undefined);
    this.canvases = new Map();
    this.player = new AudioPlayer(this.context, this.output);
    this.frames = new Map();
    this.waiting = new Map();
    this.painting = Promise.resolve();
    this.pixels = new Map();
    this.videoWanted = true;
  }

  /** Stop and Start Incoming Video. */
  receiveVideo(wanted) {
    this.videoWanted = wanted;
    for (const video of this.frames.values()) if (video.state !== 'closed') video.close();
    this.frames.clear();
  }

  /** Where a participant's video is painted. */
  paintInto(participantIndex, canvas) {
    this.canvases.set(participantIndex, canvas);
  }

  take(buffer) {
    const view = new DataView(buffer);
    const [kind, participantIndex, key] = [view.getUint8(0), view.getUint8(1), view.getUint8(2) === 1];
    const tick = view.getUint32(4);
    const payload = new Uint8Array(buffer, HEADER_BYTES);
    if (kind !== AUDIO) this.videoWanted && this.see(participantIndex, tick, key, payload);
    else if (!this.muted) this.player.hear(participantIndex, tick, payload);
  }

  see(participantIndex, tick, key, payload) {
    let video = this.frames.get(participantIndex);
    if (video === undefined) {
      if (!key) return;
      video = new VideoDecoder({
        output: (frame) => setTimeout(() => this.paintNext(participantIndex, frame), VIDEO_AFTER_MS),
        error: () => this.frames.delete(participantIndex),
      });
      video.configure({ codec: 'vp8' });
      this.frames.set(participantIndex, video);
    }
    video.decode(new EncodedVideoChunk({ type: key ? 'key' : 'delta', timestamp: tick, data: payload }));
  }

  /** A page that is too slow leaves out frames: those of a participant do not queue. */
  paintNext(participantIndex, frame) {
    this.waiting.get(participantIndex)?.close();
    this.waiting.set(participantIndex, frame);
    this.painting = this.painting.then(() => this.paintWaiting(participantIndex));
  }

  async paintWaiting(participantIndex) {
    const frame = this.waiting.get(participantIndex);
    if (frame === undefined) return;
    this.waiting.delete(participantIndex);
    await this.paint(participantIndex, frame).catch(() => undefined);
    frame.close();
  }

  async paint(participantIndex, frame) {
    const canvas = this.canvases.get(participantIndex);
    if (canvas === undefined) return;
    const [width, height] = [frame.displayWidth, frame.displayHeight];
    if (canvas.width !== width) [canvas.width, canvas.height] = [width, height];
    const size = `${width}x${height}`;
    const pixels = this.pixels.get(size) ?? new ImageData(width, height);
    this.pixels.set(size, pixels);
    await frame.copyTo(pixels.data, { format: 'RGBA' });
    canvas.getContext('2d').putImageData(pixels, 0, 0);
  }

  stop() {
    this.player.stop();
    for (const video of this.frames.values()) if (video.state !== 'closed') video.close();
    this.context.close().catch(() => undefined);
  }
}
