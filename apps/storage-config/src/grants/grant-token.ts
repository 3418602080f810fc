import { fail } from '@rapporteur/failures';
import type { Secret } from '@rapporteur/service-runtime';
import { jwtVerify, SignJWT } from 'jose';

/** A runner may read and write below `bots/<botId>/`, as long as no newer grant exists. */
export interface Grant {
  readonly botId: string;
  readonly fencing: number;
  /**
   * For a service that writes beside a complete recording, such as its transcript; a runner writes nothing after its
   * release.
   */
  readonly outlastsRelease?: boolean;
}

const audience = 'rapporteur.upload-grant';

export function signGrant(secret: Secret, grant: Grant, expiresAt: Date): Promise<string> {
  return new SignJWT({ fencing: grant.fencing, ...(grant.outlastsRelease === true ? { outlastsRelease: true } : {}) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(grant.botId)
    .setAudience(audience)
    .setExpirationTime(expiresAt)
    .sign(keyOf(secret));
}

/** Throws GRANT_REJECTED unless the header contains an unexpired grant of this service. */
export async function readGrant(secret: Secret, header: string | undefined, nowMs: number): Promise<Grant> {
  const token = /^Bearer (.+)$/.exec(header ?? '')?.[1];
  if (token === undefined) throw fail('GRANT_REJECTED', { message: 'An upload grant is needed here.' });
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
      audience,
      algorithms: ['HS256'],
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(nowMs),
    });
    const outlastsRelease = payload['outlastsRelease'] === true;
    return { botId: String(payload.sub), fencing: Number(payload['fencing']), outlastsRelease };
  } catch (error) {
    throw fail('GRANT_REJECTED', { cause: error });
  }
}

function keyOf(secret: Secret): Uint8Array {
  return new TextEncoder().encode(secret.reveal());
}
