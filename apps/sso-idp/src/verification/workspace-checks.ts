import { readCertificate, readKey } from '../logins/key-pairs.ts';
import type { PemPair } from '../logins/login-secrets.ts';
import type { VerificationCheck } from '../schema/login-entities.ts';

export const expirySoonMs = 30 * 86_400_000;

export function check(
  name: string,
  status: VerificationCheck['status'],
  message: string | null = null,
): VerificationCheck {
  return { name, status, message };
}

/** Checks of a workspace's pairs without requests; the pair of a rotation comes second. */
export function pairChecks(pairs: readonly PemPair[], nowMs: number): VerificationCheck[] {
  const certificates = pairs.map(({ certPem }) => readCertificate(certPem));
  const parsed = certificates.filter((certificate) => certificate !== null);
  const endMs = Math.min(...parsed.map(({ validToDate }) => validToDate.getTime()));
  const matches = pairs.every(({ keyPem }, index) => {
    const key = readKey(keyPem);
    return key !== null && (certificates[index]?.checkPrivateKey(key) ?? false);
  });
  return [
    parsed.length === pairs.length
      ? check('certificate_parses', 'pass')
      : check('certificate_parses', 'fail', 'The stored certificate cannot be read. Send a new pair with PATCH.'),
    expiryCheck(endMs, nowMs),
    matches
      ? check('key_matches_certificate', 'pass')
      : check(
          'key_matches_certificate',
          'fail',
          'The stored key is not that of the certificate. Send a new pair with PATCH.',
        ),
  ];
}

function expiryCheck(endMs: number, nowMs: number): VerificationCheck {
  const name = 'certificate_not_expired';
  if (!Number.isFinite(endMs)) return check(name, 'skipped', 'There is no readable certificate.');
  const end = new Date(endMs).toISOString();
  if (endMs <= nowMs) return check(name, 'fail', `The certificate expired at ${end}. Send a new pair with PATCH.`);
  if (endMs - nowMs < expirySoonMs) return check(name, 'warn', `The certificate expires at ${end}. Rotate it before.`);
  return check(name, 'pass');
}
