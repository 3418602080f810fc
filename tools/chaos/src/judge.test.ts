import { expect, test } from '@jest/globals';
import { judge } from './judge.ts';
import type { Witnessed } from './judge.ts';

const botId = '6f1f7cf8-5f60-4a43-9a0e-0f6f6c6f7a01';
const good: Witnessed = {
  botId,
  attendance: { joins: [1], leaves: 1 },
  finalEvents: [{ webhookId: 'msg_1', event: 'bot.completed', reason: null }],
  status: 'completed',
  video: botId.repeat(1_000),
};

test('a bot that came once, left once, was announced once and kept its recording is in order', () => {
  expect(judge(good)).toEqual([]);
});

test.each<[string, Partial<Witnessed>]>([
  ['never joined', { attendance: undefined }],
  ['joined 2 times', { attendance: { joins: [1, 2], leaves: 1 } }],
  ['left 0 times', { attendance: { joins: [1], leaves: 0 } }],
  ['ended as failed', { status: 'failed' }],
  ['has 0 final events', { finalEvents: [] }],
  [
    'has 2 final events (bot.completed, bot.failed)',
    { finalEvents: [...good.finalEvents, { webhookId: 'msg_2', event: 'bot.failed', reason: 'OOM_KILLED: x' }] },
  ],
  [
    'was announced as failed (GENERAL_ERROR: It ended.)',
    { finalEvents: [{ webhookId: 'msg_1', event: 'bot.failed', reason: 'GENERAL_ERROR: It ended.' }] },
  ],
  ['its recording is missing', { video: null }],
  ['its recording is wrong (4 bytes)', { video: 'else' }],
])('%s', (words, change) => {
  expect(judge({ ...good, ...change }).join('\n')).toContain(words);
});
