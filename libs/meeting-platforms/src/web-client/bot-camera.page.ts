import { pageNow } from '@rapporteur/page-scripts/page-time';

const width = 1280;
const height = 720;
const ground = '#202124';
const framesPerSecond = 5;
const redrawMs = 1_000 / framesPerSecond;
/** Interval of repeating an unchanged frame, so that a participant who joins later gets it soon. */
const stillRedrawMs = 1_000;
/** After a change every frame is sent for this long, so that the encoder reaches full quality. */
const freshMs = 2_000;

/** A camera that shows one frame, whole and in the middle of a plain ground. */
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
