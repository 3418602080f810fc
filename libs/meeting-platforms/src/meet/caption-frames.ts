// Google Meet sends captions over the data channel `captions` once the viewer has turned them on:
// Wrapper { 1: Caption { 1: device id, 2: caption id, 3: version, 4: 1 = final, 6: text, 8: language } }, plain or gzipped,
// at times behind three bytes. A wrapper with field 2 is no caption.
import { gunzipSync } from 'node:zlib';
import { messagesIn, numberIn, readProtobuf, textIn } from '../protobuf.page.ts';
import type { CaptionVersion } from '../platform.ts';

export type MeetCaption = Pick<CaptionVersion, 'key' | 'text' | 'isFinal' | 'language'> & { readonly deviceId: string };

const largestBytes = 256 * 1024;
const gzipMagic = [0x1f, 0x8b] as const;
const longestPrefix = 3;
const longestText = 20_000;
/** A version can follow the final one; older utterances than this number do not change any more. */
const mostUtterances = 200;

/** Reads captions; of each utterance only versions that are newer than those before. */
export class MeetCaptions {
  readonly #versions = new Map<string, number>();

  /**
   * Null when the message is no caption, or an older version of one.
   * @throws Error when the bytes are no protobuf message
   */
  read(payload: Uint8Array): MeetCaption | null {
    const wrapper = readProtobuf(inflated(payload));
    if (wrapper.some(({ field }) => field === 2)) return null;
    const [fields] = messagesIn(wrapper, 1);
    const deviceId = fields === undefined ? null : textIn(fields, 1);
    const id = fields === undefined ? null : numberIn(fields, 2);
    if (fields === undefined || deviceId === null || id === null) return null;
    // Ids are unique within one device only.
    const key = `${deviceId}/${id}`;
    const version = numberIn(fields, 3) ?? 0;
    if (version <= (this.#versions.get(key) ?? -1)) return null;
    this.#versions.delete(key);
    this.#versions.set(key, version);
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > mostUtterances && oldest !== undefined) this.#versions.delete(oldest);
    const text = (textIn(fields, 6) ?? '').slice(0, longestText);
    return { key, deviceId, text, isFinal: numberIn(fields, 4) === 1, language: textIn(fields, 8) };
  }
}

function inflated(payload: Uint8Array): Uint8Array {
  if (payload.length > largestBytes) throw new Error('A message of the channel captions is too large.');
  const isGzip = (at: number): boolean => payload[at] === gzipMagic[0] && payload[at + 1] === gzipMagic[1];
  const at = [0, longestPrefix].find(isGzip);
  return at === undefined ? payload : gunzipSync(payload.subarray(at), { maxOutputLength: largestBytes });
}
