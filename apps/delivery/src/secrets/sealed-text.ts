import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a secret is kept. A blob opens only in the place it was sealed for. */
export interface SealPlace {
  readonly teamId: string;
  readonly recordId: string;
  readonly field: string;
}

export interface Sealer {
  /** AES-256-GCM under a fresh nonce: version, key id, nonce, ciphertext, tag. */
  seal(text: string, place: SealPlace): Buffer;
  /** Throws when the blob was made for another place, under another key, or was changed. Names no secret. */
  open(blob: Buffer, place: SealPlace): string;
}

const version = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes + nonceBytes;

/** @param key 32 random bytes in base64. Throws, without showing it, when it is anything else. */
export function createSealer(key: string): Sealer {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.byteLength !== 32) throw new Error('The secret key must be 32 random bytes written in base64.');
  const keyId = createHash('sha256').update('rapporteur key id').update(bytes).digest().subarray(0, keyIdBytes);
  return {
    seal: (text, place) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(boundTo(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), keyId, nonce, sealed, cipher.getAuthTag()]);
    },
    open: (blob, place) => {
      if (blob.byteLength < headerBytes + tagBytes || blob[0] !== version)
        throw new Error('A stored secret has an unknown form.');
      if (!blob.subarray(1, 1 + keyIdBytes).equals(keyId))
        throw new Error(
          'A stored secret was sealed with another key: is the secret key of this service the right one?',
        );
      const decipher = createDecipheriv('aes-256-gcm', bytes, blob.subarray(1 + keyIdBytes, headerBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(boundTo(place))
        .setAuthTag(blob.subarray(-tagBytes));
      const opened = decipher.update(blob.subarray(headerBytes, -tagBytes));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    },
  };
}

function boundTo({ teamId, recordId, field }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify(['rapporteur', version, teamId, recordId, field]));
}
