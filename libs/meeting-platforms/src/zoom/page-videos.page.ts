import { heldAttribute } from './held-surface.page.ts';

/** A track without a request for this long is released: a recorder requests it several times a second. */
const keptMs = 1_500;

type Surface = HTMLCanvasElement | HTMLVideoElement;

interface HeldTrack {
  readonly track: MediaStreamTrack;
  readonly still: boolean;
  requestedAtMs: number;
}

/** Makes tracks of what the page paints, only of what is requested: each captured canvas costs a copy per repaint. */
export class PaintedVideos {
  readonly #ofWorkers = watchTransfers();
  readonly #held = new Map<Surface, HeldTrack>();
  #samples = false;

  /**
   * The same surface gives the same track while it is requested. Null where the browser gives none.
   * @param still whether the page may not paint it again for minutes, as a shared slide: a new track would have no frame
   * until then, so this one is held as long as the surface is in the page
   */
  trackOf(surface: Surface, still = false): MediaStreamTrack | null {
    const held = this.#held.get(surface);
    if (held?.track.readyState === 'live') {
      held.requestedAtMs = performance.now();
      return held.track;
    }
    const track = trackFrom(surface);
    if (track === null) return null;
    this.#held.set(surface, { track, still, requestedAtMs: performance.now() });
    if (this.#ofWorkers.has(surface)) surface.setAttribute(heldAttribute, '');
    if (!this.#samples) setTimeout(() => this.#release(), keptMs);
    this.#samples = true;
    return track;
  }

  #release(): void {
    const nowMs = performance.now();
    for (const [surface, { track, still, requestedAtMs }] of this.#held) {
      if (nowMs - requestedAtMs < keptMs || (still && surface.isConnected)) continue;
      this.#held.delete(surface);
      surface.removeAttribute(heldAttribute);
      // A video's own track belongs to the page.
      if (surface instanceof HTMLCanvasElement) track.stop();
    }
    this.#samples = this.#held.size > 0;
    if (this.#samples) setTimeout(() => this.#release(), keptMs);
  }
}

/** @returns the canvases that were handed to workers from now on */
function watchTransfers(): WeakSet<Surface> {
  const transferred = new WeakSet<Surface>();
  const canvases = HTMLCanvasElement.prototype;
  const transfer = canvases.transferControlToOffscreen;
  canvases.transferControlToOffscreen = function () {
    const offscreen = transfer.call(this);
    transferred.add(this);
    return offscreen;
  };
  return transferred;
}

function trackFrom(surface: Surface): MediaStreamTrack | null {
  try {
    if (surface instanceof HTMLCanvasElement) return surface.captureStream().getVideoTracks()[0] ?? null;
    if (surface.srcObject instanceof MediaStream) return surface.srcObject.getVideoTracks()[0] ?? null;
    const capturable = surface as HTMLVideoElement & { captureStream?: () => MediaStream };
    return capturable.captureStream?.().getVideoTracks()[0] ?? null;
  } catch {
    return null;
  }
}
