const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const largestCodePoint = 0x10_ffff;

/** The words of a chat message that came as HTML. Emoji that are images give their alternative text. */
export function messageText(html: string): string {
  return (
    html
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll(/<(?:br|\/p|\/div|\/li)\b[^>]*>/gi, '\n')
      .replaceAll(/<img\b[^>]*\balt="([^"]*)"[^>]*>/gi, '$1')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi, (entity, name: string) => characterOf(name) ?? entity)
      .replaceAll(/[ \t\u00a0]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .trim()
      // Half a character, left by a number of its own, could not be stored.
      .toWellFormed()
  );
}

function characterOf(name: string): string | null {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? null;
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= largestCodePoint ? String.fromCodePoint(code) : null;
}
