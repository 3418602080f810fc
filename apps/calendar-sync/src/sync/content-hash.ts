import { hash } from 'node:crypto';
import type { Occurrence } from '../providers/calendar-provider.ts';

/** Equal exactly when all stored data of the occurrence is equal. */
export function contentHash({ raw, ...occurrence }: Occurrence): string {
  const { updated: _updated, etag: _etag, ...stable } = raw;
  return hash('sha256', JSON.stringify([occurrence, stable]), 'base64');
}
