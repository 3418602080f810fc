import { SignJWT } from 'jose';

/** A Zoom Meeting SDK app. */
export interface SdkCredentials {
  /** Its public name; the page gets to know it. */
  readonly key: string;
  readonly secret: string;
}

/** Another clock may be behind ours: a signature from its future would be refused. */
const skewSeconds = 30;
const lifetimeSeconds = 2 * 3_600;
const joinsAsGuest = 0;

/** The signature that lets the SDK join one meeting as a guest: a JWT, HS256, good for two hours. */
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
