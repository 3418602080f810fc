import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import forge from 'node-forge';
import type { PemPair } from './login-secrets.ts';

const generate = promisify(generateKeyPair);
const bits = 2_048;
const validYears = 10;
/** Backdates certificates, for machines whose clocks are behind. */
const backdatedMs = 60_000;

/** An RSA-2048 key with a self-signed certificate that is valid for ten years. */
export async function generatePair(domain: string, nowMs: number): Promise<PemPair> {
  const { privateKey } = await generate('rsa', { modulusLength: bits, publicExponent: 65_537 });
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  // A serial number is positive: its first bit is 0.
  certificate.serialNumber = `0${randomBytes(16).toString('hex').slice(1)}`;
  certificate.validity.notBefore = new Date(nowMs - backdatedMs);
  certificate.validity.notAfter = new Date(nowMs);
  certificate.validity.notAfter.setUTCFullYear(certificate.validity.notAfter.getUTCFullYear() + validYears);
  const name = [{ name: 'commonName', value: `Rapporteur sign-in ${domain}`.slice(0, 64) }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true },
  ]);
  certificate.sign(key, forge.md.sha256.create());
  return { certPem: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n'), keyPem };
}

/** Throws WORKSPACE_INVALID that names the field when the pair is not valid for signing now. */
export function checkPair({ certPem, keyPem }: PemPair, nowMs: number): void {
  const certificate = readCertificate(certPem);
  if (certificate === null) {
    throw refused('cert_pem', 'It is not one X.509 certificate in PEM form.');
  }
  const key = readKey(keyPem);
  if (key === null) throw refused('private_key_pem', 'It is not an unencrypted private key in PEM form.');
  if (key.asymmetricKeyType !== 'rsa' || certificate.publicKey.asymmetricKeyType !== 'rsa') {
    throw refused('private_key_pem', 'Certificate and key must be RSA.');
  }
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < bits) {
    throw refused('private_key_pem', `The key must have at least ${bits} bits.`);
  }
  if (!certificate.checkPrivateKey(key)) {
    throw refused('private_key_pem', 'It is not the key of cert_pem: their moduli differ.');
  }
  if (certificate.validToDate.getTime() <= nowMs) throw refused('cert_pem', 'The certificate has expired.');
  if (certificate.validFromDate.getTime() > nowMs + backdatedMs)
    throw refused('cert_pem', 'The certificate is not valid yet.');
}

/** Null unless the text is exactly one certificate. */
export function readCertificate(certPem: string): X509Certificate | null {
  if (certPem.split('-----BEGIN CERTIFICATE-----').length !== 2) return null;
  try {
    return new X509Certificate(certPem);
  } catch {
    return null;
  }
}

/** Null unless the text is a private key without a passphrase. */
export function readKey(keyPem: string): KeyObject | null {
  try {
    return createPrivateKey(keyPem);
  } catch {
    return null;
  }
}

function refused(field: string, sentence: string): Failure {
  return fail('WORKSPACE_INVALID', { message: `/body/${field}: ${sentence}`, details: `/body/${field}` });
}
