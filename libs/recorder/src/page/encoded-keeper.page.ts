import type { ChromiumGlobal, TransformGlobal } from './chromium-media.ts';
import type { CaptureConfig } from './messages.ts';

/** Passes everything on as it comes. */
const passing = `onrtctransform = ({ transformer }) => transformer.readable.pipeTo(transformer.writable).catch(() => undefined);
postMessage('ready');`;
type Kept = RTCRtpReceiver & { transform?: object | null };

/**
 * Keeps the way before the decoder open: the browser lets a receiver's frames be taken only where that was so from its very
 * first moment. Until somebody takes them they pass through a worker that does nothing else.
 */
export class EncodedKeeper {
  readonly #transforms = new WeakMap<RTCRtpReceiver, object>();
  #worker: Worker | null = null;

  /** Must be called before the page makes its connections. Where the page allows no worker nothing is kept. */
  install(): void {
    const page = globalThis as { RTCPeerConnection?: typeof RTCPeerConnection };
    const native = page.RTCPeerConnection;
    if (!native || !(globalThis as TransformGlobal).RTCRtpScriptTransform) return;
    this.#open();
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

  /** Its frames can be taken: nobody else does. */
  keeps(receiver: Kept): boolean {
    const kept = this.#transforms.get(receiver);
    return kept !== undefined && receiver.transform === kept;
  }

  /** Nobody takes its frames any more. */
  keep(receiver: Kept): void {
    const { RTCRtpScriptTransform } = globalThis as TransformGlobal;
    if (!this.#worker || !RTCRtpScriptTransform) return;
    const transform = new RTCRtpScriptTransform(this.#worker, null);
    receiver.transform = transform;
    this.#transforms.set(receiver, transform);
  }

  #begin(connection: RTCPeerConnection, receiver: Kept): void {
    const offered = connection.remoteDescription?.sdp.includes('H264/90000') === true;
    if (!offered || receiver.track.kind !== 'video' || (receiver.transform ?? null) !== null) return;
    try {
      this.keep(receiver);
    } catch {
      // The page takes the frames itself.
    }
  }

  #open(): void {
    try {
      const address = URL.createObjectURL(new Blob([passing], { type: 'text/javascript' }));
      const { trustedTypes } = globalThis as unknown as ChromiumGlobal;
      const rules = { createScriptURL: (text: string) => text };
      const policy = trustedTypes?.createPolicy('rapporteur-keeper', rules);
      const worker = new Worker(policy?.createScriptURL(address) ?? address);
      worker.onmessage = () => (this.#worker = worker);
      worker.onerror = (event) => event.preventDefault();
    } catch {
      // Pages forbid workers in their own way; their pictures are taken decoded.
    }
  }
}

/** Copied frames have the size and the picture of their sender: neither one size nor several people in one picture. */
export function mayCopyFrames({
  mode,
  way,
  pictureSize,
}: Pick<CaptureConfig, 'mode' | 'way' | 'pictureSize'>): boolean {
  return mode === 'speaker_view' && (way === 'encoded' || (way === 'auto' && pictureSize === 'received'));
}
