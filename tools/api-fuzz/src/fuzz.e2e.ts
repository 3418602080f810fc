import { beforeAll, describe, expect, test } from '@jest/globals';
import { apiDocuments } from './document/documents.ts';
import { fuzz } from './run/fuzz.ts';
import type { FuzzReport } from './run/fuzz.ts';
import { describeFailure } from './run/report.ts';

/**
 * Operations on connected calendars and on a team's own buckets, which need a provider or an object store that accepts. They are sent and
 * judged like all others; that they succeed is proven by access-table.e2e.ts and the tests of calendar-sync and storage-config.
 */
const withoutStory: ReadonlySet<string> = new Set([
  'v2 createCalendar',
  'v2 listRawCalendars',
  'v2 getCalendar',
  'v2 updateCalendar',
  'v2 deleteCalendar',
  'v2 syncCalendar',
  'v2 resubscribeCalendar',
  'v2 listCalendarEvents',
  'v2 getCalendarEvent',
  'v2 listCalendarSeries',
  'v2 createCalendarBots',
  'v2 updateCalendarBots',
  'v2 deleteCalendarBots',
  'v2 getStorageConfig',
  'v2 putStorageConfig',
  'v2 deleteStorageConfig',
  'v2 testStorageConfig',
  'v1 addCalendar',
  'v1 addCalendarByFormerPath',
  'v1 listProviderCalendars',
  'v1 readCalendar',
  'v1 replaceCalendarCredentials',
  'v1 removeCalendar',
  'v1 listEvents',
  'v1 readEvent',
  'v1 scheduleEventBot',
  'v1 updateEventBot',
  'v1 cancelEventBot',
]);

const seed = 3;
const requests = 1_600;
let report: FuzzReport;

beforeAll(async () => {
  report = await fuzz({ seed, requests, workers: 4, say: () => undefined });
}, 180_000);

describe('1,600 seeded requests to the whole service, both generations', () => {
  test('get no 5xx, no undocumented status, no response off the schema, and no invalid body in', () => {
    expect(report.failures.map((failure) => describeFailure(failure, seed))).toEqual([]);
    expect(report.sent).toBeGreaterThanOrEqual(requests);
  });

  test("leave every process running, its memory in bounds, another team's things alone and keys out of the logs", () => {
    expect(report.problems).toEqual([]);
  });

  test('reach every operation, and have it respond other than with an error wherever no meeting is needed', () => {
    const names = apiDocuments().flatMap(({ name, operations }) => operations.map(({ id }) => `${name} ${id}`));
    expect(report.tally.neverSent(names)).toEqual([]);
    const needsMeeting =
      /(?:pauseBotRecording|resumeBotRecording|sendBotChatMessage|retryBotCallback|retranscribe\w*)$/i;
    expect(
      report.tally.neverTaken(names).filter((name) => !needsMeeting.test(name) && !withoutStory.has(name)),
    ).toEqual([]);
  });
});
