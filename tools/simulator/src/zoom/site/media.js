// Sound and picture come over the signalling socket and are decoded here: there are no receivers and no tracks.
import { SoundPlayer } from '/page/sound-player.js';

const SOUND = 1;
const HEADER_BYTES = 8;
const SAMPLE_RATE = 48_000;
/** Pictures are shown as late as the sound is played. */
const PICTURE_AFTER_MS = 150;

export class CallMedia {
  constructor({ muted }) {
    this.muted = muted;
    this.context = new AudioContext({ sampleRate: SAMPLE_RATE });
    this.output = this.context.createGain();
    this.output.connect(this.context.destination);
    this.context.resume().catch(() => undefined);
    this.canvases = new Map();
    this.player = new SoundPlayer(this.context, this.output);
    this.pictures = new Map();
  }

  /** Where a person's picture is painted. */
  paintInto(personIndex, canvas) {
    this.canvases.set(personIndex, canvas);
  }

  take(buffer) {
    const view = new DataView(buffer);
    const [kind, personIndex, key] = [view.getUint8(0), view.getUint8(1), view.getUint8(2) === 1];
    const tick = view.getUint32(4);
    const payload = new Uint8Array(buffer, HEADER_BYTES);
    if (kind !== SOUND) this.see(personIndex, tick, key, payload);
    else if (!this.muted) this.player.hear(personIndex, tick, payload);
  }

  see(personIndex, tick, key, payload) {
    let picture = this.pictures.get(personIndex);
    if (picture === undefined) {
      if (!key) return;
      picture = new VideoDecoder({
        output: (frame) => setTimeout(() => this.paint(personIndex, frame), PICTURE_AFTER_MS),
        error: () => this.pictures.delete(personIndex),
      });
      picture.configure({ codec: 'vp8' });
      this.pictures.set(personIndex, picture);
    }
    picture.decode(new EncodedVideoChunk({ type: key ? 'key' : 'delta', timestamp: tick, data: payload }));
  }

  paint(personIndex, frame) {
    const canvas = this.canvases.get(personIndex);
    if (canvas) {
      if (canvas.width !== frame.displayWidth)
        [canvas.width, canvas.height] = [frame.displayWidth, frame.displayHeight];
      canvas.getContext('2d').drawImage(frame, 0, 0);
    }
    frame.close();
  }

  stop() {
    this.player.stop();
    for (const picture of this.pictures.values()) if (picture.state !== 'closed') picture.close();
    this.context.close().catch(() => undefined);
  }
}
