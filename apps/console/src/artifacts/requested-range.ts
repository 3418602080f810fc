/** Bytes of an object, the last included; `end` null: to its end. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number | null;
}

/**
 * One range `bytes=a-` or `bytes=a-b`; null for no header and for every other form, which a server may ignore (RFC
 * 9110).
 */
export function requestedRange(header: string | undefined): ByteSpan | null {
  const match = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(header ?? '');
  if (match === null) return null;
  const start = Number(match[1]);
  const end = match[2] === undefined ? null : Number(match[2]);
  return end !== null && end < start ? null : { start, end };
}

/** The complete length in `Content-Range: bytes a-b/length`; null when it is missing. */
export function completeLength(contentRange: string | undefined): number | null {
  const length = /^bytes \d+-\d+\/(\d+)$/.exec(contentRange ?? '')?.[1];
  return length === undefined ? null : Number(length);
}
