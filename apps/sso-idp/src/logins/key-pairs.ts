import { createPrivateKey, generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { limitConcurrency } from '@rapporteur/async';
import type { Failure } from '@rapporteur/failures';
import forge from 'node-forge';
import { invalid } from '@rapporteur/service-runtime';
import type { PemPair } from './login-secrets.ts';

const generate = promisify(generateKeyPair);
const signBytes = promisify<string, Uint8Array, KeyObject, Buffer>(sign);
const bits = 2_048;
/** A signature of a longer key takes tens of milliseconds. */
const mostBits = 4_096;
const validYears = 10;
/** Backdates certificates, for machines whose clocks are behind. */
const backdatedMs = 60_000;
/** Generation takes a thread of libuv's pool, which file access and address lookups of this process need, too. */
const oneAtATime = limitConcurrency(1);

/** An RSA-2048 key with a self-signed certificate that is valid for ten years. */
export async function generatePair(domain: string, nowMs: number): Promise<PemPair> {
  const { privateKey, publicKey } = await oneAtATime(() =>
    generate('rsa', { modulusLength: bits, publicExponent: 65_537 }),
  );
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
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
  await signCertificate(certificate, privateKey);
  return {
    certPem: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n'),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** In the place of `certificate.sign`, whose RSA runs on this thread for about 100 ms. */
async function signCertificate(certificate: forge.pki.Certificate, key: KeyObject): Promise<void> {
  certificate.signatureOid = forge.pki.oids['sha256WithRSAEncryption'] ?? '';
  certificate.siginfo.algorithmOid = certificate.signatureOid;
  const [content] = forge.pki.certificateToAsn1(certificate).value;
  const signed = forge.asn1.toDer(content as forge.asn1.Asn1).getBytes();
  const signature = await signBytes('sha256', Buffer.from(signed, 'latin1'), key);
  certificate.signature = signature.toString('latin1');
}

/** Throws WORKSPACE_INVALID that names the field when the pair is not valid for signing now. */
export function checkPair({ certPem, keyPem }: PemPair, nowMs: number): void {
  const certificate = readCertificate(certPem);
  if (certificate === null) {
    throw refused('cert_pem', 'It is not one X.509 certificate in PEM form.');
  }
  const key = readKey(keyPem);
  if (key === null) throw refused('private_key_pem', 'It is not an unencrypted RSA private key in PEM form.');
  const length = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (length < bits || length > mostBits) {
    throw refused('private_key_pem', `The key must have ${bits} to ${mostBits} bits, not ${length}.`);
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

const privateKeyBlock = /-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\s]{1,16384})-----END (RSA )?PRIVATE KEY-----/;
/** Version and algorithm of an RSA key in PKCS #8, behind the header of the outer sequence. */
const rsaInPkcs8 = Buffer.from('020100300d06092a864886f70d0101010500', 'hex');

/**
 * Null unless the text is an RSA private key without a passphrase. Other kinds never reach OpenSSL, which computes the
 * public key of a DSA key while it reads it: for seconds where the numbers are long.
 */
export function readKey(keyPem: string): KeyObject | null {
  const [, pkcs1, base64 = ''] = privateKeyBlock.exec(keyPem) ?? [];
  const key = Buffer.from(base64, 'base64');
  if (pkcs1 === undefined && !key.subarray(4).subarray(0, rsaInPkcs8.length).equals(rsaInPkcs8)) return null;
  try {
    return createPrivateKey({ key, format: 'der', type: pkcs1 === undefined ? 'pkcs8' : 'pkcs1' });
  } catch {
    return null;
  }
}

function refused(field: string, sentence: string): Failure {
  return invalid(field, sentence, 'WORKSPACE_INVALID');
}
