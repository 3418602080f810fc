import { RapporteurError } from '@rapporteur/sdk';
import { z } from 'zod';

const document = z.object({
  result: z.object({
    utterances: z.array(z.object({ speaker: z.string(), text: z.string(), start: z.number() })),
  }),
});
const timeoutMs = 60_000;
/** Size that fits well into the context of an assistant. */
const mostCharacters = 40_000;

export interface TranscriptPart {
  /** `[seconds] speaker: words`. */
  readonly lines: readonly string[];
  /** Number of the first utterance that is not among them; null: none. */
  readonly next: number | null;
}

/** @throws RapporteurError when the file cannot be read */
export async function readTranscript(
  url: string,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
): Promise<TranscriptPart> {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  const read = response.ok ? document.safeParse(await response.json()) : null;
  if (read?.success !== true) {
    throw new RapporteurError(`The transcript could not be read (status ${response.status}).`, {
      code: 'TRANSCRIPT_UNREADABLE',
    });
  }
  const { utterances } = read.data.result;
  const lines: string[] = [];
  let characters = 0;
  for (const { speaker, text, start } of utterances.slice(from)) {
    const line = `[${Math.floor(start)}] ${speaker}: ${text}`;
    characters += line.length;
    if (characters > mostCharacters && lines.length > 0) break;
    lines.push(line);
  }
  const end = from + lines.length;
  return { lines, next: end < utterances.length ? end : null };
}
