const letterCount = 26;
const codeLength = 10;

/** A Google Meet link for each number, no two the same. */
export function numberedMeeting(number: number): string {
  const digits = number.toString(letterCount).padStart(codeLength, '0').split('');
  const letters = digits.map((digit) => String.fromCodePoint(97 + Number.parseInt(digit, letterCount))).join('');
  return `https://meet.google.com/${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7)}`;
}
