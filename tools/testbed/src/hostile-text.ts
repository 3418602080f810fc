const characters = ' \n\t\u00a0\u202F<>&"\'`(){}[]/\\.,:;=?#%@_-+*^$|~aA0é\u0000';
const units = [
  ...characters.split(''),
  ...'\u{1F600}|<br |<img alt="" |<img alt="|<a b="|<b>|</i>|<!--|<![CDATA[|]]>|<?|&#|&amp|&#x1;|\r\n'.split('|'),
  ...'http://|https://a?|https://a/(|a@|8:|/8:|?#|..|./|\\u|{"a":|","|%2'.split('|'),
  ...' (guest)| (guest| to Everyone| to Everyone, 1:00|, 1:00, |eyJaaaaaaaa|eyJaaaaaaaa-|.eyJaaaaaaaa'.split('|'),
  // A lone surrogate.
  String.fromCodePoint(0xd800),
];

/** Texts of this length that make careless patterns and scans slow: one part repeated, alone and between letters. */
function hostileTexts(length: number): string[] {
  return units.flatMap((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return [text, `a${text.slice(2)}b`];
  });
}

const mostReadings = 9;

/**
 * The maximum CPU in ms of reading one hostile text of this length, and the text's beginning. A reader may throw.
 * `prepare` converts the text before, outside the measurement. Only this thread counts, to a tick of the kernel (up to
 * 4 ms), and a slow text is read again: only a slowness caused by the text repeats.
 */
export function slowestReading<T = string>(
  length: number,
  read: (input: T) => unknown,
  prepare: (text: string) => T = (text) => text as T,
): { ms: number; text: string } {
  let slowest = { ms: 0, text: '' };
  for (const text of hostileTexts(length)) {
    const ms = cpuMsOfReading(read, prepare(text), slowest.ms);
    if (ms > slowest.ms) slowest = { ms, text: text.slice(0, 40) };
  }
  return slowest;
}

/**
 * The CPU in ms of reading one input, on this thread: the least of nine readings, or the first that is no more than
 * `enough`. A reader may throw.
 */
export function cpuMsOfReading<T>(read: (input: T) => unknown, input: T, enough: number): number {
  let ms = Infinity;
  for (let reading = 0; reading < mostReadings && ms > enough; reading += 1) ms = Math.min(ms, cpuMsOf(read, input));
  return ms;
}

const referenceText = JSON.stringify(' <>&"aA0é'.repeat(30_000));
/** CPU in ms of `readReference` on a machine on which the bounds of tests hold. */
const referenceMs = 13;
let slowness: number | undefined;

function readReference(): unknown {
  const text = JSON.parse(referenceText) as string;
  return text.replaceAll(/[<>&"]/g, (sign) => `&#${sign.codePointAt(0)};`).split('&');
}

/** The time of a reading in ms of the reference machine, so that a slower one changes no verdict. */
function cpuMsOf<T>(read: (input: T) => unknown, input: T): number {
  return timeOf(read, input) / slownessOfMachine();
}

function slownessOfMachine(): number {
  slowness ??= Math.max(1, Math.min(...Array.from({ length: 9 }, () => timeOf(readReference, null))) / referenceMs);
  return slowness;
}

function timeOf<T>(read: (input: T) => unknown, input: T): number {
  const before = process.threadCpuUsage();
  try {
    read(input);
  } catch {
    // A refusal is a result.
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The greatest CPU that this thread spends between two turns of the event loop while `work` is in progress, in ms of the
 * reference machine: what a caller of the same process waits for at least. The least of nine runs, or the first below
 * `enough`: in a worker of many tests the collection of their garbage adds to the turns of several runs.
 */
export async function longestTurnMs(work: () => Promise<unknown>, enough: number): Promise<number> {
  let ms = Infinity;
  for (let run = 0; run < mostReadings && ms >= enough; run += 1)
    ms = Math.min(ms, (await longestTurnOnce(work)) / slownessOfMachine());
  return ms;
}

async function longestTurnOnce(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const done = work().finally(() => (isDone = true));
  // A refusal is a result.
  done.catch(() => undefined);
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }
  return longest;
}
