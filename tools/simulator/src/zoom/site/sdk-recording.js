// The right to record, which a host grants: what the SDK returns in each case.
const HOST_RESPONDS_AFTER_MS = 400;
const RECORDS_AFTER_MS = 100;

/** Why a request is not even sent, in the words of the SDK. */
const REFUSALS = {
  disabled: 'not enable local record',
  'requests-off': 'disable send request for local recording permission',
  'all-denied': 'host deny all request',
  'host-client': 'not support grant local record permissin',
};

export class MediaCapture {
  constructor(right, emit) {
    this.right = right;
    this.emit = emit;
    this.allowed = right === 'granted';
    this.host = false;
  }

  hostIsThere(there) {
    this.host = there;
  }

  request({ operate, success, error }) {
    if (operate !== 'request') return error?.({ errorCode: 1, errorMessage: 'operate params error' });
    // The real SDK looks at its host before it looks whether there is one.
    if (!this.host) throw new TypeError("Cannot read properties of undefined (reading 'caps')");
    const refusal = this.allowed ? 'you already have local record permission' : REFUSALS[this.right];
    if (refusal !== undefined)
      return error?.({ method: 'mediaCapturePermission', errorCode: 1, errorMessage: refusal });
    success?.({ method: 'mediaCapturePermission', errorCode: 0 });
    if (this.right === 'unanswered') return;
    setTimeout(() => {
      this.allowed = this.right !== 'denied';
      this.emit('onMediaCapturePermissionChange', { allow: this.allowed });
    }, HOST_RESPONDS_AFTER_MS);
  }

  record({ record, success, error }) {
    if (record !== 'start') return success?.({ errorCode: 0 });
    if (this.right === 'disabled') return error?.({ errorCode: 1, errorMessage: REFUSALS.disabled });
    if (!this.allowed) return error?.({ errorCode: 1, errorMessage: 'no local record permission' });
    if (this.right === 'never-starts') return;
    setTimeout(() => {
      success?.({ method: 'mediaCapture', errorCode: 0 });
      this.emit('onMediaCaptureStatusChange', { status: 1 });
    }, RECORDS_AFTER_MS);
  }
}
