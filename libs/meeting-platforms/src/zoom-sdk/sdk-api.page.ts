// The part of the Meeting SDK for Web (client view, 6.2.0) that is used here. Its values are validated, because its
// types are not completely documented.

export type SdkCallback = (given: unknown) => void;

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
export function wordsIn(given: unknown): string {
  const { errorMessage, result } = fieldsOf(given);
  return [errorMessage, result].filter((text) => typeof text === 'string').join(' ');
}
