import { fail } from '@rapporteur/failures';

const signedForAtMostSeconds = 7 * 24 * 3_600;

/** Validity of a signed URL in seconds. Throws VALIDATION beyond the limit of S3 and Azure. */
export function signedSeconds(expiresAtMs: number): number {
  const seconds = Math.floor((expiresAtMs - Date.now()) / 1_000);
  if (seconds >= 1 && seconds <= signedForAtMostSeconds) return seconds;
  throw fail('VALIDATION', { message: 'A signed URL lives for at least 1 second and at most 7 days.' });
}
