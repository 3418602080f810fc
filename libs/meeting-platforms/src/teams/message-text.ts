import { Tokenizer } from 'htmlparser2';
import type { TokenizerCallbacks } from 'htmlparser2';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const largestCodePoint = 0x10_ffff;
/** Teams takes messages of about 28 kB with their markup; the rest is cut. */
const longestMarkup = 64 * 1024;
const lineEnds = new Set(['br', 'p', 'div', 'li']);

/** The text of a chat message in HTML. Emoji that are images give their alternative text. */
export function messageText(html: string): string {
  return (
    shownText(html.slice(0, longestMarkup))
      .replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi, (entity, name: string) => characterOf(name) ?? entity)
      .split('\n')
      .map((line) => line.replaceAll(/[ \t\u00a0]+/g, ' ').trim())
      .join('\n')
      .trim()
      // Lone surrogates from numeric entities cannot be stored.
      .toWellFormed()
  );
}

/** Text and line ends without the markup, entities unchanged. The tokenizer reads each character once. */
function shownText(html: string): string {
  let text = '';
  let tag = '';
  let attribute = '';
  const take = (from: number, to: number): string => html.slice(from, to);
  const endLine = (name: string): void => {
    if (lineEnds.has(name)) text += '\n';
  };
  const ignore = (): void => undefined;
  const callbacks: TokenizerCallbacks = {
    ontext: (from, to) => (text += take(from, to).replaceAll(/\s+/g, asSpace)),
    onopentagname: (from, to) => {
      tag = take(from, to).toLowerCase();
      if (tag === 'br') endLine(tag);
    },
    onclosetag: (from, to) => endLine(take(from, to).toLowerCase()),
    onattribname: (from, to) => (attribute = take(from, to).toLowerCase()),
    onattribdata: (from, to) => {
      if (tag === 'img' && attribute === 'alt') text += take(from, to);
    },
    onattribend: ignore,
    onattribentity: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: ignore,
    onprocessinginstruction: ignore,
    onselfclosingtag: ignore,
    ontextentity: ignore,
  };
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return text;
}

/** A line end in the markup is a space; other white space stays. */
function asSpace(space: string): string {
  return space.includes('\n') ? ' ' : space;
}

function characterOf(name: string): string | null {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? null;
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= largestCodePoint ? String.fromCodePoint(code) : null;
}
