/** A byte range of a composed file: of a file on disk, or in memory. */
export type ByteSpan =
  | { readonly path: string; readonly start: number; readonly length: number }
  | { readonly bytes: Buffer };

export function spanLength(span: ByteSpan): number {
  return 'bytes' in span ? span.bytes.length : span.length;
}

export function spansLength(spans: readonly ByteSpan[]): number {
  return spans.reduce((sum, span) => sum + spanLength(span), 0);
}

/** Splits spans into their first bytes and the rest. */
export function splitSpans(spans: readonly ByteSpan[], length: number): { first: ByteSpan[]; rest: ByteSpan[] } {
  const first: ByteSpan[] = [];
  const rest: ByteSpan[] = [];
  let left = length;
  for (const span of spans) {
    const taken = Math.min(left, spanLength(span));
    if (taken > 0) first.push(partOf(span, 0, taken));
    if (taken < spanLength(span)) rest.push(partOf(span, taken, spanLength(span)));
    left -= taken;
  }
  return { first, rest };
}

function partOf(span: ByteSpan, from: number, to: number): ByteSpan {
  if ('bytes' in span) return { bytes: span.bytes.subarray(from, to) };
  return { path: span.path, start: span.start + from, length: to - from };
}
