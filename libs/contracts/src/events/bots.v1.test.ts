import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { botChatStatus, botEnded, botRedeliveryRequested } from './bots.v1.ts';

const example = new URL('../../examples/bots.v1.ended/completed.json', import.meta.url);
const { data: ended } = JSON.parse(readFileSync(example, 'utf8')) as { data: { artifacts: object } };
const later = { ...ended, artifacts: { ...ended.artifacts, hologram: 'artifacts/1/hologram.bin' } };

test('a consumer takes the end of a bot with a kind of artifact it does not know, without it', () => {
  expect(botEnded.accepted.parse(later)).toEqual(botEnded.data.parse(ended));
  const request = { requestId: '0190a5e2-0000-7000-8000-000000000001', to: { kind: 'webhook-endpoints' } };
  expect(botRedeliveryRequested.accepted.parse({ ...request, ended: later }).ended).toEqual(botEnded.data.parse(ended));
});

test('a publisher names only kinds of artifacts that there are', () => {
  expect(botEnded.data.safeParse(later).success).toBe(false);
});

test('a consumer refuses an end whose known artifacts have no key', () => {
  expect(botEnded.accepted.safeParse({ ...ended, artifacts: { video: 1 } }).success).toBe(false);
});

test('a consumer takes a reason that it does not know as none', () => {
  const { botId, teamId } = botEnded.data.parse(ended);
  const reported = { botId, teamId, calendarEventId: null, available: false, extra: null };
  expect(botChatStatus.accepted.parse({ ...reported, reason: 'meeting_ended' }).reason).toBeNull();
  expect(botChatStatus.accepted.parse({ ...reported, reason: 'send_failed' }).reason).toBe('send_failed');
  expect(botChatStatus.data.safeParse({ ...reported, reason: 'meeting_ended' }).success).toBe(false);
});
