import type { PagePack } from '@rapporteur/contracts';
import type { PageReading } from '../web-client/page-state.ts';
import { zoomPageReader } from '../zoom/page-state.ts';
import type { ZoomPageSnapshot } from '../zoom/page-state.ts';
import type { RecordingRight, SdkStage, SdkStatus } from './zoom-sdk.page.ts';

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

/** The tokens of a join. */
interface BroughtTokens {
  readonly obf: boolean;
  readonly zak: boolean;
}

/** The authorized user of an OBF token is not in the meeting yet. */
export const authorizedUserAbsent = 4017;
/** The host has not begun the meeting. */
export const notStarted = 3008;
/** Unspecific, or the service did not respond: retried. */
export const passing: readonly number[] = [1, 200, 403, 3621, 4009];

type Ended = PageReading['state'];

/** Codes of the pinned SDK's client view that settle a join, after its own translation of the service's codes. */
const settled: Readonly<Record<number, Ended>> = {
  3001: 'not-found',
  3003: 'login-required',
  3004: 'passcode-wrong',
  3009: 'removed',
  3082: 'login-required',
  3099: 'login-required',
  3100: 'login-required',
  3116: 'login-required',
  3265: 'access-token-refused',
  3603: 'blocked',
  3610: 'not-found',
  3611: 'blocked',
  3620: 'blocked',
  3623: 'access-token-refused',
  3624: 'login-required',
  3702: 'not-found',
  3703: 'not-found',
  3704: 'sdk-auth-failed',
  3705: 'sdk-auth-failed',
  3706: 'not-found',
  3707: 'not-found',
  3708: 'sdk-auth-failed',
  3710: 'sdk-auth-failed',
  3712: 'sdk-auth-failed',
  3713: 'sdk-auth-failed',
  3714: 'passcode-wrong',
  3715: 'blocked',
  4004: 'ended-by-host',
  4005: 'blocked',
  4006: 'blocked',
  4007: 'blocked',
  4008: 'blocked',
  4011: 'external-meeting-forbidden',
  4013: 'obf-token-refused',
  4014: 'obf-token-refused',
  4015: 'obf-token-refused',
  4019: 'authorized-user-left',
  6603: 'sdk-auth-failed',
};

/** Codes that reject the identity of the bot: the refused token depends on the tokens of the join. */
const aboutWhoComes: ReadonlySet<number> = new Set([4012, 4018]);

/** What an error code of the SDK means for the session. Pure. */
export function readSdkCode(code: number, brought: BroughtTokens): PageReading {
  const rule = `sdk-error-${code}`;
  if (aboutWhoComes.has(code)) return { state: refusedWho(brought), rule };
  return { state: settled[code] ?? 'unusable', rule };
}

function refusedWho({ obf, zak }: BroughtTokens): Ended {
  if (obf) return 'obf-token-refused';
  return zak ? 'access-token-refused' : 'external-meeting-forbidden';
}

/** The reason why the bot is out, from its own `onUserLeave`. */
const leaveReasons: Readonly<Record<number, Ended>> = {
  1: 'ended-by-host',
  2: 'left',
  3: 'left',
  4: 'left',
  5: 'removed',
  6: 'removed',
  7: 'denied',
};

/** Null where the reason is unknown: the page is read then. */
export function readLeaveReason(reason: number): PageReading | null {
  const state = leaveReasons[reason];
  return state === undefined ? null : { state, rule: `sdk-leave-reason-${reason}` };
}
