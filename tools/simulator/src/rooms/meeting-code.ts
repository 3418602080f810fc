import { randomInt } from 'node:crypto';

const LETTERS = 'abcdefghijkmnopqrstuvwxyz';

/** A Meet-like code: three, four and three letters. */
export function newMeetingCode(): string {
  const letters = (count: number) => Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters(3)}-${letters(4)}-${letters(3)}`;
}
