/** The day of the example times in the contract files, at which no bot can be scheduled. */
const exampleDay = '2031-05-04';
const dayMs = 86_400_000;
const aheadDays = 7;

/** The text of a document with its example times a week after `nowMs`, so that its examples are accepted as they are. */
export function withExampleTimes(text: string, nowMs: number): string {
  return text.replaceAll(exampleDay, new Date(nowMs + aheadDays * dayMs).toISOString().slice(0, 10));
}
