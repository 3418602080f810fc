import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The location of a secret. A blob can be opened only for the location it was sealed for. */
export interface SealPlace {
  readonly teamId: string;
  readonly recordId: string;
  readonly field: string;
}

export interface SecretBox {
  /** False: every blob that opens is wrapped with the current key. */
  readonly hasFormerKeys: boolean;
  /** Seals under a fresh key of its own, which is wrapped with the current key of the deployment. */
  seal(text: string, place: SealPlace): Buffer;
  /** Throws when the blob was made for another place, under a key that is not known, or was changed. Names no secret. */
  open(blob: Buffer, place: SealPlace): string;
  /** True when a former key still wraps it; `rewrap` it before that key is removed. */
  needsRewrap(blob: Buffer): boolean;
  /** The same secret, wrapped with the current key. Throws like `open`. */
  rewrap(blob: Buffer, place: SealPlace): Buffer;
}

export interface SecretBoxKeys {
  /** 32 random bytes in base64: seals every new secret. */
  readonly current: string;
  /** Former keys: they still open what they sealed. */
  readonly former?: readonly string[];
}

/*
 * A blob: version (1) | id of the deployment key (8) | nonce (12) | wrapped record key (32) | tag (16)
 *         | nonce (12) | ciphertext | tag (16)
 * Each record key seals one text once, so nonces never meet a key twice, however many secrets there are.
 */
const version = 2;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const wrapStart = 1 + keyIdBytes;
const wrapBytes = nonceBytes + keyBytes + tagBytes;
const headerBytes = wrapStart + wrapBytes;

interface DeploymentKey {
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/** Throws, without showing it, when a key is not 32 bytes of base64. */
export function createSecretBox(keys: SecretBoxKeys): SecretBox {
  const current = readKey(keys.current);
  const known = [current, ...(keys.former ?? []).map(readKey)];

  const keyOf = (blob: Buffer): DeploymentKey => {
    if (blob.byteLength < headerBytes + nonceBytes + tagBytes || blob[0] !== version) {
      throw new Error('A stored secret has an unknown form.');
    }
    const found = known.find(({ id }) => blob.subarray(1, wrapStart).equals(id));
    if (found !== undefined) return found;
    throw new Error('A stored secret was sealed with another key: is the secret key of this service the right one?');
  };
  const recordKeyOf = (blob: Buffer, place: SealPlace): Buffer =>
    decrypt(keyOf(blob).bytes, blob.subarray(wrapStart, headerBytes), boundTo('key', place));
  const wrap = (recordKey: Buffer, place: SealPlace): Buffer =>
    Buffer.concat([Buffer.from([version]), current.id, encrypt(current.bytes, recordKey, boundTo('key', place))]);

  return {
    hasFormerKeys: known.length > 1,
    seal: (text, place) => {
      const recordKey = randomBytes(keyBytes);
      const sealed = encrypt(recordKey, Buffer.from(text, 'utf8'), boundTo('text', place));
      return Buffer.concat([wrap(recordKey, place), sealed]);
    },
    open: (blob, place) =>
      decrypt(recordKeyOf(blob, place), blob.subarray(headerBytes), boundTo('text', place)).toString('utf8'),
    needsRewrap: (blob) => keyOf(blob) !== current,
    rewrap: (blob, place) => Buffer.concat([wrap(recordKeyOf(blob, place), place), blob.subarray(headerBytes)]),
  };
}

function readKey(text: string): DeploymentKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.byteLength !== keyBytes) throw new Error('The secret key must be 32 random bytes written in base64.');
  const id = createHash('sha256').update('rapporteur key id').update(bytes).digest().subarray(0, keyIdBytes);
  return { id, bytes };
}

function encrypt(key: Buffer, content: Buffer, bound: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, bound: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(bound)
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

function boundTo(what: 'key' | 'text', { teamId, recordId, field }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify(['rapporteur', version, what, teamId, recordId, field]));
}
