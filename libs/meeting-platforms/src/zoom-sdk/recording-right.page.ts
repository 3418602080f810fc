export type RecordingRight =
  | 'unasked'
  /** No host is present to grant it. */
  | 'nobody-to-request'
  | 'asked'
  | 'granted'
  | 'recording'
  | 'denied'
  | 'unanswered'
  | 'withdrawn'
  | 'not-requestable'
  | 'host-cannot'
  | 'not-started';

/** Delay after the host appears: the SDK itself needs a moment to register a host. */
const settleMs = 1_000;
const mostStarts = 5;
const startAgainMs = 2_000;

/** The reason why a request is impossible, from the SDK's message. */
export function refusalIn(words: string): RecordingRight {
  if (/deny all/i.test(words)) return 'denied';
  if (/not support grant/i.test(words)) return 'host-cannot';
  return 'not-requestable';
}

export interface RecordingRightLimits {
  /** How long a host may take to respond, or to join. */
  readonly responseMs: number;
  /** How long a recording that is allowed may take to begin. */
  readonly startMs: number;
}

/** Requests permission to record from the host, and announces the recording to the meeting. */
export class RecordingPermissionRequester {
  readonly #sdk: ZoomMtg;
  readonly #limits: RecordingRightLimits;
  readonly #changed: (right: RecordingRight) => void;
  #right: RecordingRight = 'unasked';
  #hostSeen = false;
  #starts = 0;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(sdk: ZoomMtg, limits: RecordingRightLimits, changed: (right: RecordingRight) => void) {
    this.#sdk = sdk;
    this.#limits = limits;
    this.#changed = changed;
    sdk.inMeetingServiceListener('onMediaCapturePermissionChange', (given) =>
      this.#responded(fieldsOf(given)['allow']),
    );
  }

  sendRequest(): void {
    if (this.#right !== 'unasked') return;
    this.#become('nobody-to-request');
    this.#limit('unanswered', this.#limits.responseMs);
    // A bot that may record already sends no request.
    setTimeout(() => this.#start(() => this.#request()), settleMs);
  }

  hostSeen(): void {
    if (this.#hostSeen) return;
    this.#hostSeen = true;
    if (this.#right === 'nobody-to-request') setTimeout(() => this.#request(), settleMs);
  }

  #request(): void {
    if (this.#right !== 'nobody-to-request') return;
    try {
      this.#sdk.mediaCapturePermission({
        operate: 'request',
        success: () => this.#right === 'nobody-to-request' && this.#become('asked'),
        error: (given) => this.#refused(wordsIn(given)),
      });
    } catch {
      // Without a host the SDK fails instead of responding: the request is repeated when a host arrives.
    }
  }

  #refused(words: string): void {
    if (/already have/i.test(words)) return this.#responded(true);
    const refusal = refusalIn(words);
    if (refusal === 'host-cannot' && !this.#hostSeen) return;
    this.#become(refusal);
  }

  #responded(allow: unknown): void {
    if (allow === false) return this.#become(this.#right === 'recording' ? 'withdrawn' : 'denied');
    if (allow !== true || this.#right === 'granted' || this.#right === 'recording') return;
    this.#become('granted');
    this.#limit('not-started', this.#limits.startMs);
    this.#start(() => setTimeout(() => this.#startAgain(), startAgainMs));
  }

  #startAgain(): void {
    if (this.#right === 'granted') this.#start(() => setTimeout(() => this.#startAgain(), startAgainMs));
  }

  #start(refused: () => void): void {
    this.#starts += 1;
    if (this.#starts > mostStarts) return;
    this.#sdk.mediaCapture({ record: 'start', success: () => this.#become('recording'), error: refused });
  }

  #become(right: RecordingRight): void {
    if (this.#right === right) return;
    this.#right = right;
    if (right !== 'nobody-to-request' && right !== 'asked') clearTimeout(this.#deadline);
    this.#changed(right);
  }

  #limit(then: RecordingRight, afterMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#become(then), afterMs);
  }
}

// The part of the Meeting SDK for Web (client view, 6.2.0) that is used here. Its values are validated, because its
// types are not completely documented.

type SdkCallback = (given: unknown) => void;

export interface ZoomMtg {
  setZoomJSLib(path: string, folder: string): void;
  preLoadWasm(): void;
  prepareWebSDK(): void;
  init(settings: {
    leaveUrl: string;
    patchJsMedia: boolean;
    leaveOnPageUnload: boolean;
    disablePreview: boolean;
    enableWaitingRoomPreview: boolean;
    isShowJoiningErrorDialog: boolean;
    disableInvite: boolean;
    disableCallOut: boolean;
    defaultView: 'speaker';
    success: SdkCallback;
    error: SdkCallback;
  }): void;
  join(fields: {
    signature: string;
    meetingNumber: string;
    passWord: string;
    userName: string;
    tk?: string;
    obfToken?: string;
    zak?: string;
    success: SdkCallback;
    error: SdkCallback;
  }): void;
  inMeetingServiceListener(event: string, listener: SdkCallback): void;
  mediaCapturePermission(request: { operate: 'request'; success: SdkCallback; error: SdkCallback }): void;
  mediaCapture(request: { record: 'start'; success: SdkCallback; error: SdkCallback }): void;
}

export function sdkOfPage(): ZoomMtg | null {
  const { ZoomMtg: sdk } = globalThis as { ZoomMtg?: ZoomMtg };
  return typeof sdk?.join === 'function' ? sdk : null;
}

export function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
}

/** The error code of a callback's argument; null: none. */
export function codeIn(given: unknown): number | null {
  const { errorCode } = fieldsOf(given);
  return typeof errorCode === 'number' && errorCode !== 0 ? errorCode : null;
}

/** The message of a refusal, in any of the SDK's forms. */
function wordsIn(given: unknown): string {
  const { errorMessage, result } = fieldsOf(given);
  return [errorMessage, result].filter((text) => typeof text === 'string').join(' ');
}
