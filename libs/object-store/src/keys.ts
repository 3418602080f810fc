import { fail } from '@rapporteur/failures';

const keyLimitBytes = 1024;
/** Leaves room for the disk driver's suffix in a file name of at most 255 bytes. */
const segmentLimitBytes = 240;

/** Why a key is refused; null for a valid one. */
export function keyProblem(key: string): string | null {
  if (key === '') return 'it is empty';
  if (Buffer.byteLength(key) > keyLimitBytes) return `it is longer than ${keyLimitBytes} bytes`;
  if (!key.isWellFormed()) return 'it is not valid Unicode';
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) return 'it has a control character';
  if (key.includes('\\')) return 'it has a backslash';
  for (const segment of key.split('/')) {
    if (segment === '') return 'it starts or ends with a slash, or has two in a row';
    if (segment === '.' || segment === '..') return `it has the path part "${segment}"`;
    if (Buffer.byteLength(segment) > segmentLimitBytes)
      return `a part between slashes is longer than ${segmentLimitBytes} bytes`;
  }
  return null;
}

/**
 * Throws VALIDATION unless the key is 1 to 1024 bytes of well-formed Unicode, without control characters, backslashes,
 * empty parts, `.` or `..`, every part at most 240 bytes. The same rules hold for every driver.
 */
export function assertKey(key: string): void {
  const problem = keyProblem(key);
  if (problem !== null)
    throw fail('VALIDATION', { message: `The object key is not allowed: ${problem}.`, details: 'key' });
}

/** A prefix may be empty, may end in a slash, or in the middle of a name. */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/** Whether everything can be kept below it: empty, or a folder that ends with a slash. */
export function isKeyPrefix(text: string): boolean {
  return text === '' || (text.endsWith('/') && keyProblem(text.slice(0, -1)) === null);
}

/** A deletable prefix names complete folders, so that `bots/1` does not match `bots/12`. */
export function assertFolderPrefix(prefix: string): void {
  if (!prefix.endsWith('/'))
    throw fail('VALIDATION', { message: 'A prefix to delete must end with a slash.', details: 'prefix' });
  assertKey(prefix.slice(0, -1));
}

/** The key as the path of a URL: slashes are kept, other special characters are percent-encoded. */
export function encodeKey(key: string): string {
  return key
    .split('/')
    .map((segment) => encodeURIComponent(segment))
    .join('/');
}

/**
 * The key in the path of a URL, or null when it is not one: invalid percent-encoding, or an encoded slash in a part.
 */
export function decodeKey(path: string): string | null {
  try {
    const segments = path.split('/').map((segment) => decodeURIComponent(segment));
    if (segments.some((segment) => segment.includes('/'))) return null;
    const key = segments.join('/');
    return keyProblem(key) === null ? key : null;
  } catch {
    return null;
  }
}
