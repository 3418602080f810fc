import type { PageReading } from '../web-client/page-state.ts';

/** The tokens of a join. */
export interface BroughtTokens {
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
