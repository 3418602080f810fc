/** Parts of Chromium's media API that TypeScript's DOM library does not describe. */
export interface TrackProcessorConstructor {
  new (init: { track: MediaStreamTrack; maxBufferSize?: number }): {
    readonly readable: ReadableStream<VideoFrame> & ReadableStream<AudioData>;
  };
}

export interface ChromiumGlobal {
  MediaStreamTrackProcessor?: TrackProcessorConstructor;
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(text: string): string },
    ): { createScriptURL(text: string): string };
  };
}

/** Newer than the DOM library at hand. */
export interface RotatedFrame {
  readonly rotation?: number;
}

export interface Base64Bytes {
  toBase64?(): string;
}

/** A frame on its way from the network to its decoder. */
export interface EncodedFrame {
  data: ArrayBuffer;
  readonly type: 'key' | 'delta' | 'empty';
  getMetadata(): { readonly mimeType?: string; readonly rtpTimestamp: number };
}

/** The worker's side of a receiver's transform. */
export interface Transformer {
  readonly readable: ReadableStream<EncodedFrame>;
  readonly writable: WritableStream<EncodedFrame>;
  readonly options: unknown;
  sendKeyFrameRequest(): Promise<unknown>;
}

export interface TransformGlobal {
  readonly RTCRtpScriptTransform?: new (worker: Worker, options: unknown) => object;
}
