import { Readable } from 'node:stream';
import { cutAudio, cuttableTypes } from '@rapporteur/media-container';
import type { SpeechAudio } from '@rapporteur/speech-to-text';
import type { PartRow } from '../schema/entities.ts';
import type { BotFiles } from '../storage/recording-store.ts';

export const canCut = (contentType: string): boolean => cuttableTypes.includes(contentType);

/** The audio of a part: a stored file, or a span of one, which is read twice because its length is sent before it. */
export function audioOf(files: BotFiles, part: PartRow): SpeechAudio {
  const { audio_key: key, content_type: contentType, reference, from_ms: fromMs, to_ms: toMs } = part;
  const fileName = `${reference}${key.slice(key.lastIndexOf('.'))}`;
  if (fromMs === null || toMs === null) return { open: () => files.open(key), contentType, fileName };
  const cut = () => cutAudio(contentType, async (from) => (await files.open(key, from)).stream, { fromMs, toMs });
  const open = async () => {
    let byteLength = 0;
    for await (const { length } of cut()) byteLength += length;
    return { byteLength, stream: Readable.from(cut()) };
  };
  return { open, contentType, fileName };
}
