import { SignJWT } from 'jose';

/** A Zoom Meeting SDK app. */
export interface SdkCredentials {
  /** The public client id; it is passed to the page. */
  readonly key: string;
  readonly secret: string;
}

/** Tolerated clock difference: the platform refuses a signature from its future. */
const skewSeconds = 30;
/** The longest that Zoom accepts: the bot rejoins with the signature of its first join. */
const lifetimeSeconds = 48 * 3_600;
const joinsAsGuest = 0;

/** The signature that lets the SDK join one meeting as a guest: a JWT, HS256, valid for 48 hours. */
export function signSdkSignature(
  { key, secret }: SdkCredentials,
  meetingNumber: string,
  nowMs: number,
): Promise<string> {
  const iat = Math.floor(nowMs / 1_000) - skewSeconds;
  const exp = iat + lifetimeSeconds;
  const claims = { appKey: key, sdkKey: key, mn: Number(meetingNumber), role: joinsAsGuest, iat, exp, tokenExp: exp };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(secret));
}
