import { splitFragment } from '../upload/fragment-object.ts';
import { segmentKeys, segmentRecord } from '../recording/segment-record.ts';
import type { SegmentRecord } from '../recording/segment-record.ts';

/** The record of a fragment in the store; null while the fragment is not there. */
export function storedRecord(
  { objects }: { readonly objects: ReadonlyMap<string, Uint8Array> },
  { attempt = 1, sequence = 1 } = {},
): SegmentRecord | null {
  const object = objects.get(segmentKeys.fragment(attempt, sequence));
  return object === undefined ? null : segmentRecord.parse(JSON.parse(String(splitFragment(object).record)));
}
