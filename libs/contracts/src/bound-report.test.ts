import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { boundReport, reportLimits, runnerReport } from './index.ts';
import type { Participant, ReportBody } from './index.ts';

const base = { botId: '6f1f7cf8-5f60-4a43-9a0e-0f6f6c6f7a01', attempt: 1, fencing: 1, sequence: 1 };
const whole = (body: ReportBody) => ({ ...body, ...base, at: '2026-01-01T10:00:00.000Z' });
const roster = (count: number, over: Partial<Participant> = {}): Participant[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Person ${index + 1}`, ...over }));

describe('a report of a runner', () => {
  test('within the limits stays as it is', () => {
    const body: ReportBody = { kind: 'participants', participants: roster(500), speakers: roster(20) };
    expect(boundReport(body)).toEqual(body);
  });

  test('with a name of 300,000 characters has it cut, never in the middle of a character', () => {
    const name = `x${'\u{1F600}'.repeat(150_000)}`;
    const bounded = boundReport({ kind: 'participants', participants: roster(1, { name }), speakers: [] });
    expect(bounded).toMatchObject({ participants: [{ name: name.slice(0, reportLimits.name - 1) }] });
    expect(bounded).not.toHaveProperty('omitted');
  });

  test('with 6,150 participants states how many it leaves out', () => {
    const bounded = boundReport({ kind: 'participants', participants: roster(6_150), speakers: roster(10) });
    expect(bounded).toMatchObject({ omitted: { participants: 4_150, speakers: 0 } });
  });

  test('fits its schema and a message of the bus, whatever pages show', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.nat(4_000).map((length) => '\u20ac'.repeat(length)),
    );
    const list = fc
      .record({ count: fc.nat(7_000), name: text, profile_picture: text })
      .map(({ count, ...over }) => roster(count, over));
    fc.assert(
      fc.property(list, list, (participants, speakers) => {
        const bounded = whole(boundReport({ kind: 'participants', participants, speakers }));
        expect(runnerReport.safeParse(bounded).success).toBe(true);
        expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(reportLimits.bytes + 1_000);
      }),
      { numRuns: 20 },
    );
  });

  test('has its chat message and its sentences cut too', () => {
    const long = 'y'.repeat(100_000);
    const at = '2026-01-01T10:00:00.000Z';
    const message = { messageId: long, senderId: null, senderName: long, text: long, sentAt: at, at };
    const end = { code: 'API_REQUEST', message: long, joinedAt: null, exitedAt: null, recorded: false };
    for (const body of [
      { kind: 'chat-message', message },
      { kind: 'attendance-ended', end },
      { kind: 'recording-lost', message: long },
      { kind: 'upload-failed', message: long },
    ] as const)
      expect(runnerReport.safeParse(whole(boundReport(body))).success).toBe(true);
  });
});
