/**
 * A message of the data channel `main-channel`: some bytes, then a JSON list. Gives the stream id of the dominant
 * speaker, or null when the message is about something else.
 */
export function dominantSpeakerIn(message: Uint8Array): string | null {
  const text = new TextDecoder().decode(message);
  const start = text.indexOf('[{');
  if (start < 0) return null;
  let entries: unknown;
  try {
    entries = JSON.parse(text.slice(start));
  } catch {
    return null;
  }
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { type, history } = (entry ?? {}) as { type?: unknown; history?: unknown };
    const newest: unknown = type === 'dsh' && Array.isArray(history) ? history[0] : undefined;
    if (typeof newest === 'number' || typeof newest === 'string') return String(newest);
  }
  return null;
}
