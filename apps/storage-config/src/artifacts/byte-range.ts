import type { ByteRange } from '@rapporteur/object-store';

/**
 * The part of an object of `bytes` bytes that a Range header requests (RFC 9110): a part; `all` when there is no
 * header, it is not understood or it requests several parts; `unsatisfiable` when it lies outside.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (match === null) return 'all';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { first: bytes - length, last: bytes - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return 'all';
  if (Number(first) >= bytes) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
