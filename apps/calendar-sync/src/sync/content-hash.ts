import { createHash } from 'node:crypto';
import type { Occurrence } from '../providers/calendar-provider.ts';

/** The same text exactly when nothing that is stored of the occurrence differs. */
export function contentHash({ raw, ...occurrence }: Occurrence): string {
  const { updated: _updated, etag: _etag, ...stable } = raw;
  return createHash('sha256')
    .update(JSON.stringify([occurrence, stable]))
    .digest('base64');
}
