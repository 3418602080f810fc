const characters = ' \n\t\u00a0\u202F<>&"\'`(){}[]/\\.,:;=?#%@_-+*^$|~aA0é\u0000';
const units = [
  ...characters.split(''),
  ...'\u{1F600}|<br |<img alt="" |<img alt="|<a b="|<b>|</i>|<!--|<![CDATA[|]]>|<?|&#|&amp|&#x1;|\r\n'.split('|'),
  ...'http://|https://a?|https://a/(|a@|8:|/8:|?#|..|./|\\u|{"a":|","|%2'.split('|'),
  ...' (guest)| (guest| to Everyone| to Everyone, 1:00|, 1:00, |eyJaaaaaaaa|eyJaaaaaaaa-|.eyJaaaaaaaa'.split('|'),
  // Half of a character.
  String.fromCodePoint(0xd800),
];

/** Texts of this length that make careless patterns and scans slow: one part over and over, alone and between letters. */
function hostileTexts(length: number): string[] {
  return units.flatMap((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return [text, `a${text.slice(2)}b`];
  });
}

/**
 * The most CPU in ms that reading one hostile text of this length takes, and the text's beginning. A reader may throw.
 * A text that takes long is read three times, because the process may do something else meanwhile.
 */
export function slowestReading(length: number, read: (text: string) => unknown): { ms: number; text: string } {
  let slowest = { ms: 0, text: '' };
  for (const text of hostileTexts(length)) {
    const costs = [cpuMsOf(read, text)];
    while (costs.length < 3 && Math.min(...costs) > slowest.ms) costs.push(cpuMsOf(read, text));
    const ms = Math.min(...costs);
    if (ms > slowest.ms) slowest = { ms, text: text.slice(0, 40) };
  }
  return slowest;
}

function cpuMsOf(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  try {
    read(text);
  } catch {
    // A refusal is a result.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
