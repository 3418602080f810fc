/** Smaller painted elements are icons. */
const leastWidth = 100;
const leastHeight = 56;
/** Minimum share of the window for a canvas to count as a stage of participants' video. */
const leastCanvasShare = 0.1;
/** Number of sampled points of a frame. */
const sampled = 16;
/** A contrast, of 255: a frame with less between its lightest and darkest points is empty. */
const leastContrast = 24;
const framesDeepMost = 3;

type Painted = HTMLVideoElement | HTMLCanvasElement;

/** Inspects what the page paints, on the screen or not: a page whose painting is off keeps its layout. */
export class PageInspector {
  #surface: CanvasRenderingContext2D | null = null;
  readonly #before = new WeakMap<Painted, string>();
  /** Canvases of tracks: the last sample, and how often it differed from the one before. */
  readonly #changes = new WeakMap<HTMLCanvasElement, { points: string; count: number }>();

  /** The page shows a frame that is not the bot's own: a playing video, or a canvas that changes or is tainted. */
  seesVideo(): boolean {
    return documentsOf(document, 0).some(
      (root) =>
        [...root.querySelectorAll('video')].some((video) => isLarge(video) && plays(video) && !isOwn(video)) ||
        [...root.querySelectorAll('canvas')].some((canvas) => isStage(canvas) && this.#showsSomething(canvas)),
    );
  }

  /**
   * Number of frames of a track shown by elements; of a canvas's track, the number of calls that found it changed. Null
   * where no element shows it.
   */
  framesShownOf(track: MediaStreamTrack): number | null {
    const canvas = canvasOf(track);
    if (canvas !== null) return this.#changesOf(canvas);
    const videos = this.#playersOf(track);
    return videos.length === 0
      ? null
      : videos.reduce((sum, video) => sum + video.getVideoPlaybackQuality().totalVideoFrames, 0);
  }

  /** False also where it can't be evaluated: no element plays it. */
  showsBright(track: MediaStreamTrack): boolean {
    const canvas = canvasOf(track);
    return [...this.#playersOf(track), ...(canvas === null ? [] : [canvas])].some((painted) => {
      const points = this.#sample(painted);
      return points !== null && contrastOf(points) >= leastContrast;
    });
  }

  /** False when the canvas of the track is tainted. */
  readable(track: MediaStreamTrack): boolean {
    const canvas = canvasOf(track);
    return canvas === null || canvas.width === 0 || this.#sample(canvas) !== null;
  }

  /** Live tracks of audio that elements of the page play aloud. */
  playedAudioTracks(): MediaStreamTrack[] {
    const elements = documentsOf(document, 0).flatMap((root) => [...root.querySelectorAll('audio,video')]);
    return (elements as HTMLMediaElement[])
      .filter((element) => !element.muted && element.volume > 0 && !element.paused)
      .flatMap(({ srcObject }) => (srcObject as MediaStream | null)?.getAudioTracks?.() ?? [])
      .filter(({ readyState }) => readyState === 'live');
  }

  #playersOf(track: MediaStreamTrack): HTMLVideoElement[] {
    return documentsOf(document, 0).flatMap((root) =>
      [...root.querySelectorAll('video')].filter((video) => tracksOf(video).includes(track) && plays(video)),
    );
  }

  #changesOf(canvas: HTMLCanvasElement): number {
    const points = this.#sample(canvas)?.join(' ') ?? '';
    const before = this.#changes.get(canvas);
    const count = before === undefined || before.points === points ? (before?.count ?? 0) : before.count + 1;
    this.#changes.set(canvas, { points, count });
    return count;
  }

  #showsSomething(canvas: HTMLCanvasElement): boolean {
    const points = this.#sample(canvas);
    // A tainted image comes from another origin: it counts as a frame.
    if (points === null) return true;
    const now = points.join(' ');
    const changed = this.#before.has(canvas) && this.#before.get(canvas) !== now;
    this.#before.set(canvas, now);
    return changed && contrastOf(points) >= leastContrast;
  }

  /** Null when it is tainted. */
  #sample(painted: Painted): Uint8ClampedArray | null {
    this.#surface ??= newSurface();
    const surface = this.#surface;
    if (surface === null) return null;
    try {
      surface.drawImage(painted, 0, 0, sampled, sampled);
      return surface.getImageData(0, 0, sampled, sampled).data;
    } catch {
      // The surface is tainted; the next sample needs a new one.
      this.#surface = null;
      return null;
    }
  }
}

/** The canvas that a track captures; null where it captures none of this page. */
function canvasOf(track: MediaStreamTrack): HTMLCanvasElement | null {
  return (track as { readonly canvas?: HTMLCanvasElement }).canvas ?? null;
}

function newSurface(): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = sampled;
  canvas.height = sampled;
  return canvas.getContext('2d', { willReadFrequently: true });
}

/** The contrast of the green of RGBA points, which is most of the light. */
function contrastOf(points: Uint8ClampedArray): number {
  const greens = points.filter((_value, index) => index % 4 === 1);
  return Math.max(...greens) - Math.min(...greens);
}

/** The page's document and those of its accessible frames. */
function documentsOf(root: Document, deep: number): Document[] {
  if (deep >= framesDeepMost) return [root];
  const inner = [...root.querySelectorAll('iframe')].flatMap(({ contentDocument }) =>
    contentDocument === null ? [] : documentsOf(contentDocument, deep + 1),
  );
  return [root, ...inner];
}

function isLarge(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width >= leastWidth && height >= leastHeight;
}

function isStage(canvas: HTMLCanvasElement): boolean {
  const { width, height } = canvas.getBoundingClientRect();
  return canvas.width > 0 && width * height >= innerWidth * innerHeight * leastCanvasShare;
}

function plays(video: HTMLVideoElement): boolean {
  return !video.paused && video.videoWidth > 2 && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
}

/** The bot's own camera video is drawn by a script. */
function isOwn(video: HTMLVideoElement): boolean {
  const tracks = tracksOf(video);
  return tracks.length > 0 && tracks.every((track) => 'canvas' in track || 'writable' in track);
}

function tracksOf({ srcObject }: HTMLVideoElement): MediaStreamTrack[] {
  // A stream is recognized by its shape: an element of a frame has the frame's own classes.
  const stream = srcObject as MediaStream | null;
  return typeof stream?.getVideoTracks === 'function'
    ? stream.getVideoTracks().filter(({ readyState }) => readyState === 'live')
    : [];
}
