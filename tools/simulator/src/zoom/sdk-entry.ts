import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { passcodeOf } from '../sites/platforms.ts';
import type { ZoomOptions } from './zoom-options.ts';

/** The parameters of the SDK's request to its service; a missing field is empty or absent. */
export const sdkJoinSchema = z.object({
  signature: z.string().max(4_096),
  meetingNumber: z.string().max(20),
  passWord: z.string().max(200).optional(),
  obfToken: z.string().max(16_384).optional(),
  zak: z.string().max(16_384).optional(),
  tk: z.string().max(1_000).optional(),
});
export type SdkJoin = z.infer<typeof sdkJoinSchema>;

const claimsSchema = z.object({
  appKey: z.string(),
  mn: z.number(),
  role: z.number(),
  exp: z.number(),
  tokenExp: z.number(),
});

/** Codes of the real SDK, as in its `join` or `onMeetingStatus`. */
export const sdkErrors = {
  generic: 1,
  wrongPasscode: 3004,
  notStarted: 3008,
  loginRequired: 3100,
  noSuchMeeting: 3610,
  zakRefused: 3623,
  unknownApp: 3704,
  signatureExpired: 3705,
  signatureInvalid: 3712,
  meetingLocked: 4006,
  externalMeeting: 4011,
  anonymousJoin: 4012,
  obfRefused: 4014,
  authorizedUserAbsent: 4017,
} as const;

/** Number of the SDK's refusals without a particular reason, per room. */
const failures = new WeakMap<HostedRoom, number>();

/** The error code of this join, or null: it may request admission. */
export function sdkRefusal(hosted: HostedRoom | null, given: SdkJoin, zoom: ZoomOptions, nowMs: number): number | null {
  const signature = signatureRefusal(given, zoom, nowMs);
  if (signature !== null) return signature;
  if (hosted === null) return sdkErrors.noSuchMeeting;
  if (given.passWord !== passcodeOf(hosted.room.code)) return sdkErrors.wrongPasscode;
  if (zoom.signInWall) return sdkErrors.loginRequired;
  if (zoom.botWall === 'at-join') return sdkErrors.meetingLocked;
  if (failsOnceMore(hosted, zoom)) return sdkErrors.generic;
  const token = tokenRefusal(given, zoom);
  if (token !== null) return token;
  const meetingMs = nowMs - hosted.room.clockZero;
  const comes = zoom.sdkAuthorizedUserComesAfterMs;
  const absent = zoom.sdkAuthorizedUser === 'absent' && (comes === 0 || meetingMs < comes);
  if (absent && hasText(given.obfToken)) return sdkErrors.authorizedUserAbsent;
  return zoom.hostNotStarted === 'no' ? null : sdkErrors.notStarted;
}

function signatureRefusal({ signature, meetingNumber }: SdkJoin, zoom: ZoomOptions, nowMs: number): number | null {
  const [head = '', body = '', mark = ''] = signature.split('.');
  const expected = createHmac('sha256', zoom.sdkSecret).update(`${head}.${body}`).digest();
  const given = Buffer.from(mark, 'base64url');
  const claims = readClaims(body);
  if (claims === null || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return sdkErrors.signatureInvalid;
  }
  if (claims.appKey !== zoom.sdkKey) return sdkErrors.unknownApp;
  if (Math.min(claims.exp, claims.tokenExp) * 1_000 <= nowMs) return sdkErrors.signatureExpired;
  return claims.mn === Number(meetingNumber) && claims.role === 0 ? null : sdkErrors.signatureInvalid;
}

function readClaims(body: string): z.infer<typeof claimsSchema> | null {
  try {
    return claimsSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  } catch {
    return null;
  }
}

function failsOnceMore(hosted: HostedRoom, zoom: ZoomOptions): boolean {
  const before = failures.get(hosted) ?? 0;
  failures.set(hosted, before + 1);
  return before < zoom.sdkFailures;
}

function tokenRefusal({ obfToken, zak }: SdkJoin, zoom: ZoomOptions): number | null {
  if (zoom.sdkAccount === 'forbidden') return sdkErrors.externalMeeting;
  if (hasText(obfToken)) return obfToken === zoom.obfToken ? null : sdkErrors.obfRefused;
  if (hasText(zak)) return zak === zoom.zakToken ? null : sdkErrors.zakRefused;
  return zoom.sdkAccount === 'own' ? null : sdkErrors.anonymousJoin;
}

function hasText(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
