/** One result of the service's speech recognition, as it is sent: the whole text so far, and no id. */
export interface RecognitionResult {
  /** MRI. */
  readonly userId: string;
  readonly text: string;
  readonly isFinal: boolean;
  /** When its audio was sent, in ticks of 100 ns; can change while the text grows. */
  readonly audioSentAt: number;
  readonly language: string | null;
}

const longestMessage = 1_000_000;
const longestText = 20_000;
const mostResults = 50;

/** Captions in a message of the data channel `main-channel`; empty when it is about something else. */
export function captionsIn(message: Uint8Array): RecognitionResult[] {
  return entriesIn(message).flatMap((entry) => {
    const { recognitionResults: results } = (entry ?? {}) as { recognitionResults?: unknown };
    return (Array.isArray(results) ? results.slice(0, mostResults) : []).flatMap(resultOf);
  });
}

function resultOf(result: unknown): RecognitionResult[] {
  const { userId, text, isFinal, timestampAudioSent, spokenLanguage } = (result ?? {}) as Record<string, unknown>;
  if (typeof userId !== 'string' || typeof text !== 'string') return [];
  return [
    {
      userId,
      text: text.slice(0, longestText),
      isFinal: isFinal === true,
      audioSentAt: typeof timestampAudioSent === 'number' ? timestampAudioSent : 0,
      language: typeof spokenLanguage === 'string' ? spokenLanguage : null,
    },
  ];
}

/**
 * A message of the data channel `main-channel`: some bytes, then a JSON list. Returns the stream id of the dominant
 * speaker, or null for another kind of message.
 */
export function dominantSpeakerIn(message: Uint8Array): string | null {
  for (const entry of entriesIn(message)) {
    const { type, history } = (entry ?? {}) as { type?: unknown; history?: unknown };
    const newest: unknown = type === 'dsh' && Array.isArray(history) ? history[0] : undefined;
    if (typeof newest === 'number' || typeof newest === 'string') return String(newest);
  }
  return null;
}

function entriesIn(message: Uint8Array): unknown[] {
  if (message.length > longestMessage) return [];
  const text = new TextDecoder().decode(message);
  const start = text.indexOf('[{');
  if (start < 0) return [];
  try {
    const entries: unknown = JSON.parse(text.slice(start));
    return Array.isArray(entries) ? entries : [];
  } catch {
    return [];
  }
}
