import { generateKeyPair } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import forge from 'node-forge';

export interface Identity {
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface KeyPair {
  readonly privatePem: string;
  readonly publicPem: string;
}

/** The keys of one test cluster: a certificate authority and what it signed. Nothing of it outlives the cluster. */
export interface Authority {
  readonly certificateFile: string;
  /** Writes a certificate and its key as files of this name. */
  issue(name: string, subject: { commonName: string; organization?: string }): Promise<Identity>;
}

const validDays = 2;
/** Addresses of two full nodes on the bridges of their pods. At the first one, pods reach the API server and DNS. */
export const nodeAddresses = ['10.244.0.1', '10.244.1.1'] as const;

async function newKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return {
    privatePem: privateKey.export({ type: 'pkcs1', format: 'pem' }) as string,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

/** The key pair that signs ServiceAccount tokens. */
export async function writeKeyPair(folder: string, name: string): Promise<{ privateFile: string; publicFile: string }> {
  const { privatePem, publicPem } = await newKeyPair();
  const files = { privateFile: join(folder, `${name}.key`), publicFile: join(folder, `${name}.pub`) };
  writeFileSync(files.privateFile, privatePem, { mode: 0o600 });
  writeFileSync(files.publicFile, publicPem);
  return files;
}

export async function createAuthority(folder: string): Promise<Authority> {
  const ca = await newKeyPair();
  const issuer = [{ name: 'commonName', value: 'test-cluster' }];
  let serial = 0;
  const sign = (
    name: string,
    publicPem: string,
    subject: forge.pki.CertificateField[],
    extensions: object[],
  ): string => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(publicPem);
    serial += 1;
    certificate.serialNumber = serial.toString(16).padStart(2, '0');
    certificate.validity.notBefore = new Date(Date.now() - 3_600_000);
    certificate.validity.notAfter = new Date(Date.now() + validDays * 86_400_000);
    certificate.setSubject(subject);
    certificate.setIssuer(issuer);
    certificate.setExtensions(extensions);
    certificate.sign(forge.pki.privateKeyFromPem(ca.privatePem), forge.md.sha256.create());
    const file = join(folder, `${name}.crt`);
    writeFileSync(file, forge.pki.certificateToPem(certificate));
    return file;
  };
  const certificateFile = sign('ca', ca.publicPem, issuer, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ]);
  return {
    certificateFile,
    issue: async (name, { commonName, organization }) => {
      const keys = await newKeyPair();
      const subject = [
        ...(organization === undefined ? [] : [{ name: 'organizationName', value: organization }]),
        { name: 'commonName', value: commonName },
      ];
      const issued = sign(name, keys.publicPem, subject, [
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 2, value: 'kubernetes.default.svc' },
            { type: 7, ip: '127.0.0.1' },
            { type: 7, ip: '10.96.0.1' },
            ...nodeAddresses.map((ip) => ({ type: 7, ip })),
          ],
        },
      ]);
      const keyFile = join(folder, `${name}.key`);
      writeFileSync(keyFile, keys.privatePem, { mode: 0o600 });
      return { certificateFile: issued, keyFile };
    },
  };
}
