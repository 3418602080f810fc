import { expect, test } from '@jest/globals';
import { endReminders } from './announced-ends.ts';

const at = (day: string) => endReminders(Date.parse(day));

test('the end of a model is no matter long before', () => {
  expect(at('2026-09-01')).toEqual([]);
});

test("a vendor's change of its own default is a reminder, which concerns no named model", () => {
  expect(at('2026-11-28')).toEqual([
    expect.stringMatching(/assemblyai.*2026-12-08, in 10 days; it is no default here/),
  ]);
  expect(at('2026-12-09')).toEqual([]);
});

test('the end of a current default is a reminder before and after it', () => {
  expect(at('2027-02-01')[0]).toMatch(/whisper-1 ends on 2027-02-26, in 25 days; it is the current default/);
  expect(at('2027-02-26')).toEqual([expect.stringMatching(/whisper-1 ended on 2027-02-26.*name another/)]);
});
