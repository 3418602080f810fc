/** The day of the example times in the contract files. It is too far ahead for a bot to be scheduled then. */
const exampleDay = '2031-05-04';
const dayMs = 86_400_000;
const aheadDays = 7;

/** A document with its example times moved to a week after `nowMs`, so that its examples are accepted as they are. */
export function withExampleTimes(text: string, nowMs: number): string {
  return text.replaceAll(exampleDay, new Date(nowMs + aheadDays * dayMs).toISOString().slice(0, 10));
}
