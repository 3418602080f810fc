import kinds from '../../packs/kinds.json' with { type: 'json' };

const pageWords: ReadonlySet<string> = new Set(kinds.pageWords);
const english = /\b(?:you|your|the|this|to|someone|has|is|was)\b/i;
const capitalised = /\p{Lu}[\p{L}'-]*(?:\s+\p{Lu}[\p{L}'-]*)*/gu;

/**
 * A sentence of a page without names of participants: capitalised words that pages do not use themselves are replaced.
 * A sentence in title case, or in a language that capitalises otherwise, loses only what looks like a full name.
 */
export function withoutNames(sentence: string): string {
  const words = sentence.split(/\s+/);
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  const titled = !english.test(sentence) || capitals > words.length * 0.7;
  return sentence.replaceAll(capitalised, (run) => {
    const parts = run.split(/\s+/);
    const unknown = parts.filter((word) => !pageWords.has(word.replace(/'s$/, '').toLowerCase()));
    if (unknown.length === 0 || (titled && unknown.length < parts.length)) return run;
    return titled && parts.length < 2 ? run : parts.map((word) => (unknown.includes(word) ? '[name]' : word)).join(' ');
  });
}
