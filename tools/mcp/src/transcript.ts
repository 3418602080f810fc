import type { OperationResponse } from '@rapporteur/sdk';

/** Size that fits well into the context of an assistant. */
const mostCharacters = 40_000;

export interface TranscriptPart {
  /** `[seconds] speaker: words`. */
  readonly lines: readonly string[];
  /** Number of the first utterance that is not among them; null: none. */
  readonly next: number | null;
}

export function partOf({ utterances }: OperationResponse<'getBotTranscript'>, from: number): TranscriptPart {
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
