import { expect, test } from '@jest/globals';
import { findEnds } from './announced-ends.ts';

const at = (day: string) => findEnds(Date.parse(day));

test('the end of a model is no matter long before', () => {
  expect(at('2026-09-01')).toEqual({ problems: [], reminders: [] });
});

test("a vendor's change of its own default is a reminder, which concerns no named model", () => {
  const { problems, reminders } = at('2026-11-28');
  expect(problems).toEqual([]);
  expect(reminders).toEqual([expect.stringMatching(/assemblyai.*2026-12-08, in 10 days; it is no default here/)]);
});

test('the end of a current default is a reminder before, and a problem from that day', () => {
  expect(at('2027-02-01').reminders[0]).toMatch(/whisper-1 ends on 2027-02-26, in 25 days; it is the current default/);
  expect(at('2027-02-26').problems).toEqual([expect.stringMatching(/whisper-1 ends on 2027-02-26\. Name another/)]);
});
