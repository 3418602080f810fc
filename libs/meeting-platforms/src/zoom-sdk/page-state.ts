import type { PagePack } from '@rapporteur/contracts';
import type { PageReading } from '../web-client/page-state.ts';
import { zoomPageReader } from '../zoom/page-state.ts';
import type { ZoomPageSnapshot } from '../zoom/page-state.ts';
import type { RecordingRight, SdkStage, SdkStatus } from './zoom-sdk.page.ts';
import { readLeaveReason, readSdkCode } from './sdk-codes.ts';

/** The page's snapshot and the state of its SDK. */
export interface ZoomSdkSnapshot extends ZoomPageSnapshot {
  /** Null before the page's script runs, and on foreign pages. */
  readonly sdk: SdkStatus | null;
}

const rights: Readonly<Partial<Record<RecordingRight, PageReading>>> = {
  denied: { state: 'recording-right-refused', rule: 'recording-right-denied' },
  unanswered: { state: 'recording-right-refused', rule: 'recording-right-unanswered' },
  withdrawn: { state: 'recording-right-refused', rule: 'recording-right-withdrawn' },
  'not-requestable': { state: 'recording-right-unavailable', rule: 'recording-permission-not-requestable' },
  'host-cannot': { state: 'recording-right-not-shown', rule: 'host-client-cannot-grant' },
  'not-started': { state: 'recording-not-started', rule: 'recording-not-started' },
};

const stages: Readonly<Record<SdkStage, PageReading | null>> = {
  loading: { state: 'loading', rule: 'sdk-loading' },
  ready: { state: 'pre-join', rule: 'sdk-ready' },
  joining: { state: 'loading', rule: 'sdk-joining' },
  'waiting-for-authorized-user': { state: 'waiting-for-authorized-user', rule: 'sdk-authorized-user-absent' },
  'waiting-for-host': { state: 'waiting-for-host', rule: 'sdk-waiting-for-host' },
  'waiting-room': { state: 'lobby', rule: 'sdk-waiting-room' },
  'in-meeting': { state: 'in-call', rule: 'sdk-in-meeting' },
  disconnected: { state: 'loading', rule: 'sdk-disconnected', cause: 'technical', afterMs: 60_000 },
  'no-sdk': { state: 'unusable', rule: 'sdk-not-loaded' },
  'no-obf-token': { state: 'obf-token-refused', rule: 'obf-token-not-there' },
  'no-zak-token': { state: 'access-token-refused', rule: 'zak-token-not-there' },
  failed: null,
  over: null,
};

/** The state of the session: from the SDK first, except that the page may have a more exact end reason. Pure. */
export function zoomSdkPageReader(pack: PagePack): (page: ZoomSdkSnapshot) => PageReading {
  const { readCall } = zoomPageReader(pack);
  return (page) => readZoomSdkPage(page, readCall(page));
}

function readZoomSdkPage(page: ZoomSdkSnapshot, shown: PageReading | null): PageReading {
  const { sdk } = page;
  if (sdk === null) return { state: 'loading', rule: 'no-page-yet' };
  if (sdk.code !== null) return readSdkCode(sdk.code, sdk.brought);
  const reason = sdk.leaveReason === null ? null : readLeaveReason(sdk.leaveReason);
  const otherThanCall = shown?.state === 'in-call' ? null : shown;
  if (reason !== null) return reason.state === 'left' ? (otherThanCall ?? reason) : reason;
  return otherThanCall ?? rights[sdk.right] ?? stages[sdk.stage] ?? { state: 'left', rule: 'sdk-over' };
}
