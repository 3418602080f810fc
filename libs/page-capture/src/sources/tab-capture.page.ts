/** Time limit of the browser for the capture of the tab. */
const openMostMs = 3_000;

export interface TabLimits {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecondMax: number;
}

/** Newer than the DOM library at hand. */
interface TabOptions extends DisplayMediaStreamOptions {
  readonly preferCurrentTab: boolean;
  readonly selfBrowserSurface: 'include';
  readonly systemAudio: 'exclude';
}

/**
 * The general fallback: video and audio of the tab itself. The browser allows it without a prompt when it runs with
 * --auto-accept-this-tab-capture.
 */
export class TabCapture {
  readonly #devices: MediaDevices | undefined = navigator.mediaDevices;
  /** The browser's original: pages replace it. */
  readonly #getDisplayMedia: MediaDevices['getDisplayMedia'] | undefined = this.#devices?.getDisplayMedia;
  #stream: MediaStream | null = null;
  #opening: Promise<boolean> | null = null;
  /** The reason why it is unavailable; null while it was not refused. */
  refusal: string | null = this.#getDisplayMedia ? null : 'This page offers no capture of its tab.';

  get video(): MediaStreamTrack | null {
    return liveTrack(this.#stream?.getVideoTracks());
  }

  get audio(): MediaStreamTrack | null {
    return liveTrack(this.#stream?.getAudioTracks());
  }

  /** @returns whether it is available */
  async open(limits: TabLimits): Promise<boolean> {
    if (this.video !== null) return true;
    if (this.refusal !== null) return false;
    this.#opening ??= this.#open(limits).finally(() => (this.#opening = null));
    return await this.#opening;
  }

  close(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }

  async #open(limits: TabLimits): Promise<boolean> {
    const options: TabOptions = {
      video: {
        width: { max: limits.width },
        height: { max: limits.height },
        frameRate: { max: limits.framesPerSecondMax },
      },
      audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
      preferCurrentTab: true,
      selfBrowserSurface: 'include',
      systemAudio: 'exclude',
    };
    const requested = this.#getDisplayMedia?.call(this.#devices, options);
    if (requested === undefined) return false;
    let late = false;
    const tooLate = new Promise<null>((resolve) => setTimeout(resolve, openMostMs, null));
    try {
      const stream = await Promise.race([requested, tooLate]);
      late = stream === null;
      if (stream === null) throw new Error(`The browser did not return the tab within ${openMostMs} ms.`);
      this.#stream = stream;
      return true;
    } catch (error) {
      this.refusal = String(error);
      return false;
    } finally {
      if (late)
        void requested.then((stream) => stream.getTracks().forEach((track) => track.stop())).catch(() => undefined);
    }
  }
}

function liveTrack(tracks: readonly MediaStreamTrack[] | undefined): MediaStreamTrack | null {
  return tracks?.find(({ readyState }) => readyState === 'live') ?? null;
}
