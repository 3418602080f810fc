import { describe, expect, test } from '@jest/globals';
import { MeetChat, sentAtMsOf } from './meet-signals.ts';

describe('MeetChat', () => {
  const participant = {
    id: '1',
    name: 'Alice',
    avatarUrl: null,
    isSelf: false,
    isHost: false,
    present: true,
    appearedAtMs: 0,
    leftAtMs: null,
  };
  const record = { messageId: 'spaces/s/messages/1795237185439534', deviceId: '1', sentAtMs: null, text: 'Hi' };

  test('reports each message once, whichever layer brings it first', () => {
    const chat = new MeetChat(() => participant);
    expect(chat.applyRecords([record], 5)).toEqual([
      { id: record.messageId, senderId: '1', senderName: 'Alice', text: 'Hi', sentAtMs: 1_795_237_185_440, own: false },
    ]);
    expect(chat.applyRows([{ messageId: record.messageId, sender: 'Alice', own: false, text: 'Hi' }], 9)).toEqual([]);
  });

  test('a row without records still gives text, sender name and time', () => {
    const rows = new MeetChat(() => null).applyRows([{ messageId: 'x', sender: 'Bruno', own: false, text: 'Hey' }], 7);
    expect(rows).toEqual([{ id: 'x', senderId: null, senderName: 'Bruno', text: 'Hey', sentAtMs: 7, own: false }]);
  });

  test('the time of sending is read from the id where it has one', () => {
    expect(sentAtMsOf('spaces/s/messages/1795237185439534')).toBe(1_795_237_185_440);
    expect(sentAtMsOf('spaces/s/messages/abc')).toBeNull();
  });
});
