const mostLines = 20;
const mostCharacters = 4_000;

/** The last lines of a log, at most 20 of them and 4,000 characters in all. */
export function lastLines(text: string): string[] {
  return text
    .slice(-mostCharacters)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-mostLines);
}
