/** Types that a browser plays or shows, and never executes. */
const harmless = new Set([
  'application/json',
  'application/x-ndjson',
  'audio/flac',
  'audio/mp4',
  'audio/wav',
  'audio/webm',
  'image/jpeg',
  'image/png',
  'text/plain',
  'text/vtt',
  'video/mp4',
  'video/webm',
]);

/**
 * The content type of a response. The stored type comes from a machine that also runs a meeting's web page: a stored
 * `text/html` must not become a page on our address.
 */
export function servedType(stored: string): string {
  const [essence = ''] = stored.toLowerCase().split(';');
  return harmless.has(essence.trim()) ? stored : 'application/octet-stream';
}
