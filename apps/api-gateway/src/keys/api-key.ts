import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'rap';
const randomLength = 32;
const checksumLength = 6;
const shownLength = 8;
const form = /^(rap_[0-9A-Za-z]{32,64})_([0-9A-Za-z]{6})$/;

/** A new key. The text is shown once and not stored. */
export interface NewApiKey {
  readonly text: string;
  readonly hash: Buffer;
  /** The first characters, which identify the key in a list. */
  readonly start: string;
}

/**
 * `rap_<32 random characters>_<checksum>`. Secret scanners detect the prefix; the checksum detects typing errors
 * without a database query.
 */
export function createApiKey(): NewApiKey {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const body = `${prefix}_${random}`;
  const text = `${body}_${checksumOf(body)}`;
  return { text, hash: hashOf(text), start: text.slice(0, shownLength) };
}

/** The hash under which a key is stored, or null when the text is not a valid key. */
export function hashOfApiKey(text: string): Buffer | null {
  const [, body, checksum] = form.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum ? hashOf(text) : null;
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < checksumLength; place += 1) {
    text = (alphabet[rest % alphabet.length] ?? '') + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
