import type { TransformGlobal } from '../../chromium-media.ts';
import { openWorker } from '../../engine-link.page.ts';
import type { CaptureConfig } from '../../messages.ts';

/** A page that loads on a busy machine lets its first worker wait. */
const keeperReadyMs = 15_000;
/** An engine that is to begin waits no longer for it. */
const requestedMaxMs = 1_500;

type Keepable = RTCRtpReceiver & { transform?: object | null };

interface Kept {
  /** What the worker calls it. */
  readonly id: string;
  transform: object;
}

/**
 * Keeps access to frames before the decoder open: the browser lets a receiver's frames be taken only where that was so from its very
 * first moment. They pass through the worker that the engine is to work in, and through no other: of two workers that take
 * turns, the one that lets go late takes the frames from the one that has just begun.
 */
export class EncodedKeeper {
  readonly #workerSource: string;
  readonly #kept = new Map<RTCRtpReceiver, Kept>();
  #installed = false;
  #worker: Worker | null = null;
  #opening: Promise<void> | null = null;
  #number = 0;

  constructor(workerSource: string) {
    this.#workerSource = workerSource;
  }

  /**
   * Must be called before the page makes its connections, or one of its frames. Where the page allows no worker nothing is
   * kept.
   */
  install(page: { RTCPeerConnection?: typeof RTCPeerConnection }): void {
    const native = page.RTCPeerConnection;
    if (!native || !(globalThis as TransformGlobal).RTCRtpScriptTransform) return;
    if (!this.#installed) this.#open();
    this.#installed = true;
    page.RTCPeerConnection = new Proxy(native, {
      construct: (original, parameters, newTarget): RTCPeerConnection => {
        const connection = Reflect.construct(original, parameters, newTarget) as RTCPeerConnection;
        const [settings] = parameters as [{ readonly encodedInsertableStreams?: boolean }?];
        if (settings?.encodedInsertableStreams !== true)
          connection.addEventListener('track', ({ receiver }) => this.#begin(connection, receiver));
        return connection;
      },
    });
  }

  /** Where the frames go; null where none are kept. An engine may begin to work in it. */
  async worker(): Promise<Worker | null> {
    const late = new Promise((resolve) => setTimeout(resolve, requestedMaxMs));
    if (this.#opening !== null) await Promise.race([this.#opening, late]);
    return this.#worker;
  }

  /** The frames go here from now on. */
  moveTo(worker: Worker): void {
    if (!this.#installed || worker === this.#worker) return;
    this.#worker = worker;
    this.#keepAll();
  }

  /** Their worker is gone: another is opened. */
  reopen(): void {
    if (!this.#installed) return;
    this.#worker = null;
    this.#open();
  }

  /** What the worker calls a receiver whose frames it has; null where it has not, or the page took them itself. */
  idOf(receiver: Keepable): string | null {
    const kept = this.#kept.get(receiver);
    const ours = this.#worker !== null && kept !== undefined && receiver.transform === kept.transform;
    return ours && receiver.track.readyState === 'live' ? kept.id : null;
  }

  /** Of all receivers of which frames come. */
  ids(): string[] {
    const coming = [...this.#kept.keys()].filter(({ track }) => !track.muted);
    return coming.map((receiver) => this.idOf(receiver)).filter((id) => id !== null);
  }

  receiverOf(id: string): RTCRtpReceiver | null {
    return [...this.#kept].find(([, kept]) => kept.id === id)?.[0] ?? null;
  }

  #begin(connection: RTCPeerConnection, receiver: Keepable): void {
    for (const [{ track }, { id }] of this.#kept) if (track.readyState === 'ended') this.#forget(id);
    const offered = connection.remoteDescription?.sdp.includes('H264/90000') === true;
    if (!offered || receiver.track.kind !== 'video' || (receiver.transform ?? null) !== null) return;
    this.#number += 1;
    this.#keep(receiver, `kept-${this.#number}`);
  }

  #forget(id: string): void {
    const receiver = this.receiverOf(id);
    if (receiver) this.#kept.delete(receiver);
    this.#worker?.postMessage({ kind: 'encoded-gone', id });
  }

  #keep(receiver: Keepable, id: string): void {
    const { RTCRtpScriptTransform } = globalThis as TransformGlobal;
    if (!this.#worker || !RTCRtpScriptTransform) return;
    try {
      const transform = new RTCRtpScriptTransform(this.#worker, { id });
      receiver.transform = transform;
      this.#kept.set(receiver, { id, transform });
    } catch {
      // The page takes the frames itself.
    }
  }

  #keepAll(): void {
    for (const [receiver, { id, transform }] of this.#kept)
      if ((receiver as Keepable).transform === transform) this.#keep(receiver, id);
  }

  #open(): void {
    const opening = openWorker(this.#workerSource, keeperReadyMs).then((worker) => {
      if (this.#opening === opening) this.#opening = null;
      if (this.#worker !== null) {
        // An engine came with its own meanwhile.
        worker?.terminate();
        return;
      }
      this.#worker = worker;
      this.#keepAll();
    });
    this.#opening = opening;
  }
}

/** Copied frames have the size and the video of their sender: neither one size nor several participants in one frame. */
export function mayCopyFrames({
  mode,
  strategy,
  videoSize,
}: Pick<CaptureConfig, 'mode' | 'strategy' | 'videoSize'>): boolean {
  return mode === 'speaker_view' && (strategy === 'encoded' || (strategy === 'auto' && videoSize === 'received'));
}
