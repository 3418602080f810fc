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
