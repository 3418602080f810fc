import { hash } from 'node:crypto';
import type { Occurrence } from '../providers/calendar-provider.ts';

/** The same text exactly when nothing that is stored of the occurrence differs. */
export function contentHash({ raw, ...occurrence }: Occurrence): string {
  const { updated: _updated, etag: _etag, ...stable } = raw;
  return hash('sha256', JSON.stringify([occurrence, stable]), 'base64');
}
