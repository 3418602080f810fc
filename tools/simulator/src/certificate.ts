import { createHash, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import forge from 'node-forge';
import { addressOf, platformNames } from './sites/platforms.ts';

export type Certificate = {
  keyPem: string;
  certificatePem: string;
  /** Base64 SHA-256 of the public key, for Chromium's `--ignore-certificate-errors-spki-list`. */
  spki: string;
};

const HOST_NAMES = [
  ...platformNames.flatMap((platform) => addressOf(platform).hosts),
  '*.simulator.localhost',
  'localhost',
];
const VALID_DAYS = 365;
const RENEW_BEFORE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Reads key and certificate from the folder; creates them when they are missing or expire soon. */
export async function loadCertificate(folder: string, now: () => number): Promise<Certificate> {
  await mkdir(folder, { recursive: true });
  const keyPath = join(folder, 'simulator-key.pem');
  const certificatePath = join(folder, 'simulator-certificate.pem');
  const known = await readPair(keyPath, certificatePath, now);
  if (known !== null) return known;
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificatePem = selfSign(keyPem, now());
  await writeFile(keyPath, keyPem, { mode: 0o600 });
  await writeFile(certificatePath, certificatePem);
  return { keyPem, certificatePem, spki: spkiOf(certificatePem) };
}

async function readPair(keyPath: string, certificatePath: string, now: () => number): Promise<Certificate | null> {
  try {
    const [keyPem, certificatePem] = await Promise.all([readFile(keyPath, 'utf8'), readFile(certificatePath, 'utf8')]);
    const certificate = new X509Certificate(certificatePem);
    const goodUntil = Date.parse(certificate.validTo) - RENEW_BEFORE_DAYS * DAY_MS;
    const named = new X509Certificate(certificatePem).subjectAltName ?? '';
    const complete = HOST_NAMES.every((name) => named.includes(`DNS:${name}`));
    return complete && now() < goodUntil ? { keyPem, certificatePem, spki: spkiOf(certificatePem) } : null;
  } catch {
    return null;
  }
}

function selfSign(keyPem: string, now: number): string {
  const privateKey = forge.pki.privateKeyFromPem(keyPem) as forge.pki.rsa.PrivateKey;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  certificate.serialNumber = `01${randomBytes(12).toString('hex')}`;
  certificate.validity.notBefore = new Date(now - DAY_MS);
  certificate.validity.notAfter = new Date(now + VALID_DAYS * DAY_MS);
  const subject = [{ name: 'commonName', value: 'Rapporteur meeting simulator' }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: HOST_NAMES.map((value) => ({ type: 2, value })) },
  ]);
  certificate.sign(privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

function spkiOf(certificatePem: string): string {
  const publicKey = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(publicKey).digest('base64');
}
