/** A picture that was shown a moment ago is kept while the recorder turns to the next. */
const keptMs = 1_000;

/** Makes tracks of what the page paints, only of what is shown: each captured canvas costs a copy per repaint. */
export class PaintedPictures {
  #current: { surface: Element; track: MediaStreamTrack } | null = null;

  /** The same surface gives the same track until another is asked for. Null where the browser gives none. */
  trackOf(surface: HTMLCanvasElement | HTMLVideoElement): MediaStreamTrack | null {
    const before = this.#current;
    if (before?.surface === surface && before.track.readyState === 'live') return before.track;
    const track = trackFrom(surface);
    if (track === null) return null;
    this.#current = { surface, track };
    if (before !== null && before.surface instanceof HTMLCanvasElement) {
      setTimeout(() => before.track.stop(), keptMs);
    }
    return track;
  }
}

function trackFrom(surface: HTMLCanvasElement | HTMLVideoElement): MediaStreamTrack | null {
  try {
    if (surface instanceof HTMLCanvasElement) return surface.captureStream().getVideoTracks()[0] ?? null;
    if (surface.srcObject instanceof MediaStream) return surface.srcObject.getVideoTracks()[0] ?? null;
    const capturable = surface as HTMLVideoElement & { captureStream?: () => MediaStream };
    return capturable.captureStream?.().getVideoTracks()[0] ?? null;
  } catch {
    return null;
  }
}
