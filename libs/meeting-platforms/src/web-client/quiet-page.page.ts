// Runs in every frame of a meeting's page before its own scripts: while the page is not captured, its videos are not
// painted and endless animations are paused. Layout, sizes, tracks and everything else that scripts read stay the same.

/** The driver of the top frame, for itself and every frame of its own site below it. */
export interface QuietPage {
  /** Stops all avoidable painting. Safe twice. */
  quiet(): void;
  /** Paints again what it painted before. Resolves once that is on the screen, at the latest after half a second. */
  restore(): Promise<void>;
}

/** A frame as registered with the top frame. */
interface QuietFrame extends QuietPage {
  readonly gone: boolean;
}

type QuietGlobal = { rapporteurQuietPage?: QuietPage; rapporteurQuietFrames?: QuietFrames };

/** Interval of scanning for new roots and animations. */
const pollIntervalMs = 2_000;
const paintedLimitMs = 500;

export interface QuietPageOptions {
  /** Selector of what is not painted. */
  readonly hides: string;
  /** `opacity` where readers of the page treat invisible elements as absent. */
  readonly by: 'visibility' | 'opacity';
}

export function install({ hides, by }: QuietPageOptions): void {
  // Neither changes layout and sizes: a page still requests the layer that fits the element.
  const declaration = by === 'visibility' ? 'visibility: hidden' : 'opacity: 0';
  findFrames()?.add(createFrame(`${hides} { ${declaration} !important; }`));
}

/** Null in a frame of another site, which shows nothing of the meeting. */
function findFrames(): QuietFrames | null {
  try {
    const top = globalThis.top as unknown as QuietGlobal;
    if (top.rapporteurQuietFrames !== undefined) return top.rapporteurQuietFrames;
    const frames = new QuietFrames();
    const value = { quiet: () => frames.quiet(), restore: () => frames.restore() } satisfies QuietPage;
    Object.defineProperty(top, 'rapporteurQuietFrames', { value: frames, enumerable: false });
    Object.defineProperty(top, 'rapporteurQuietPage', { value, enumerable: false });
    return frames;
  } catch {
    return null;
  }
}

/** All frames at once; a frame that is added later gets the same state. */
class QuietFrames {
  readonly #frames = new Set<QuietFrame>();
  #quiet = false;

  add(frame: QuietFrame): void {
    for (const known of this.#frames) if (known.gone) this.#frames.delete(known);
    this.#frames.add(frame);
    if (this.#quiet) frame.quiet();
  }

  quiet(): void {
    this.#quiet = true;
    for (const frame of this.#frames) frame.quiet();
  }

  async restore(): Promise<void> {
    this.#quiet = false;
    await Promise.all([...this.#frames].map((frame) => frame.restore()));
  }
}

function createFrame(rule: string): QuietFrame {
  const window = globalThis.window;
  const roots = watchShadowRoots();
  const animations = new EndlessAnimations(() => [document, ...roots()]);
  let sheet: CSSStyleSheet | null = null;
  let timer: ReturnType<typeof setInterval> | null = null;
  const observe = (): void => {
    sheet ??= createSheet(rule);
    for (const root of [document, ...roots()]) adopt(root, sheet);
    animations.hold();
  };
  return {
    get gone() {
      return window.closed || window.document !== document;
    },
    quiet: () => {
      observe();
      if (sheet !== null) sheet.disabled = false;
      timer ??= setInterval(observe, pollIntervalMs);
    },
    restore: async () => {
      if (timer === null) return;
      clearInterval(timer);
      timer = null;
      if (sheet !== null) sheet.disabled = true;
      animations.release();
      await painted([document, ...roots()]);
    },
  };
}

/** Created by script, so that no content policy of the page applies. */
function createSheet(rule: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  return sheet;
}

/** Repeated after a page has replaced the list of a root. */
function adopt(root: DocumentOrShadowRoot, sheet: CSSStyleSheet): void {
  if (root.adoptedStyleSheets.includes(sheet)) return;
  try {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    // A root that has moved to another document cannot adopt the sheet.
  }
}

/** The roots that scripts of this frame attach from now on, closed ones too. */
function watchShadowRoots(): () => ShadowRoot[] {
  let known: WeakRef<ShadowRoot>[] = [];
  Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
    apply(native, element: Element, given: [ShadowRootInit]): ShadowRoot {
      const root = Reflect.apply(native, element, given);
      known.push(new WeakRef(root));
      return root;
    },
  });
  return () => {
    known = known.filter((root) => root.deref() !== undefined);
    return known.flatMap((root) => root.deref() ?? []).filter((root) => root.isConnected);
  };
}

/** Animations without an end, so that no script waits for their end. */
class EndlessAnimations {
  readonly #roots: () => DocumentOrShadowRoot[];
  readonly #held = new Set<Animation>();

  constructor(roots: () => DocumentOrShadowRoot[]) {
    this.#roots = roots;
  }

  hold(): void {
    for (const animation of this.#held) if (animation.playState !== 'paused') this.#held.delete(animation);
    for (const animation of this.#roots().flatMap((root) => root.getAnimations())) {
      if (animation.playState !== 'running' || animation.effect?.getComputedTiming().endTime !== Infinity) continue;
      animation.pause();
      this.#held.add(animation);
    }
  }

  release(): void {
    for (const animation of this.#held) if (animation.playState === 'paused') animation.play();
    this.#held.clear();
  }
}

/** Resolves once every video that moves has given a frame to the screen. */
async function painted(roots: readonly (Document | ShadowRoot)[]): Promise<void> {
  const videos = roots.flatMap((root) => [...root.querySelectorAll('video')]);
  const moving = videos.filter(
    (video) => video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !video.paused && hasLiveTrack(video),
  );
  const shownVideos = moving.map((video) => new Promise((resolve) => video.requestVideoFrameCallback(resolve)));
  const late = new Promise((resolve) => setTimeout(resolve, paintedLimitMs));
  await Promise.race([Promise.all(shownVideos).then(nextFrame).then(nextFrame), late]);
}

function hasLiveTrack({ srcObject }: HTMLVideoElement): boolean {
  return (
    srcObject instanceof MediaStream &&
    srcObject.getVideoTracks().some((track) => track.readyState === 'live' && !track.muted)
  );
}

async function nextFrame(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
}
