/** Replaces a secret in logs. */
export const concealed = '•••';

/** Characters of a signed token with its three parts, and its beginning. */
const tokenCharacters = /[\w.-]+/g;
const tokenStart = /\beyJ[\w-]{8}/;

/** The text without signed tokens at any position. */
export function withoutTokens(text: string): string {
  return text.replaceAll(tokenCharacters, (word) => {
    const start = word.search(tokenStart);
    return start >= 0 && word.includes('.', start) ? `${word.slice(0, start)}${concealed}` : word;
  });
}
