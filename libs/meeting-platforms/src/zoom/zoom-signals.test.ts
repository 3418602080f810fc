import { expect, test, describe } from '@jest/globals';
import { ZoomSignals, readChatLine, ZoomChat } from './zoom-signals.ts';

test('a roster entry of an unknown form costs none of the others', () => {
  const reported: string[] = [];
  const host = {
    botName: () => 'Bot',
    reportParticipants: (changes: readonly { readonly participant: { readonly name: string } }[]) =>
      reported.push(...changes.map(({ participant }) => participant.name)),
  };
  const signals = new ZoomSignals(host as never);
  const present = [
    null,
    { id: '1', name: 'Ada', isHost: false },
    { id: 2, name: 'Bo' },
    { id: '3', name: 'Cy', isHost: null },
  ];
  signals.receive({ kind: 'roster', present, gone: [4, null], atMs: 0 });
  expect(signals.roster.participants().map(({ name }) => name)).toEqual(['Ada', 'Cy']);
});

const alice = {
  id: '1024',
  name: 'Alice',
  avatarUrl: null,
  isSelf: false,
  isHost: false,
  present: true,
  appearedAtMs: 0,
  leftAtMs: null,
};
const self = { ...alice, id: '2048', name: 'Rapporteur', isSelf: true };
const chat = () => new ZoomChat((name) => (name === 'Alice' ? alice : null));

describe('readChatLine', () => {
  test.each([
    ['Alice to Everyone, 02:13 PM, Hello, all', 'Alice', 'Hello, all'],
    ['Alice to Everyone, 14:13, Hello', 'Alice', 'Hello'],
    ['Alice to Everyone, 2:13\u202FPM, Hello', 'Alice', 'Hello'],
    ['Alice to You (Direct Message), 02:13 PM, psst', 'Alice', 'psst'],
    ['Door to Door Ltd to Everyone, 02:13 PM, Hi', 'Door to Door Ltd', 'Hi'],
    ['You to Everyone, 02:13 PM, two\nlines', 'You', 'two\nlines'],
    ['Bob to Everyone, 02:13 PM, Eve to Everyone, 02:14 PM, no', 'Bob', 'Eve to Everyone, 02:14 PM, no'],
  ])('%j', (label, sender, text) => {
    expect(readChatLine(label)).toEqual({ sender, text });
  });

  test('another form says nothing', () => {
    expect(readChatLine('Alice left the meeting')).toBeNull();
  });
});

describe('ZoomChat', () => {
  const row = (id: string | null, label: string) => ({ id, label });

  test('reports each row once, with the sender where only one person has that name', () => {
    const rows = [row('chat-message-1', 'Alice to Everyone, 02:13 PM, Hi'), row(null, 'Zed to Everyone, 02:13 PM, Ho')];
    const reported = chat();
    expect(reported.applyRows(rows, self, 7)).toEqual([
      { id: 'chat-message-1', senderId: '1024', senderName: 'Alice', text: 'Hi', sentAtMs: 7, own: false },
      expect.objectContaining({ senderId: null, senderName: 'Zed', text: 'Ho' }),
    ]);
    expect(reported.applyRows(rows, self, 8)).toEqual([]);
  });

  test('the same words twice, in rows without ids, are two messages', () => {
    const reported = chat();
    const ok = row(null, 'Alice to Everyone, 02:13 PM, ok');
    expect(reported.applyRows([ok], self, 1)).toHaveLength(1);
    expect(reported.applyRows([ok, ok], self, 2)).toHaveLength(1);
  });

  test('what the bot wrote is its own', () => {
    expect(chat().applyRows([row('1', 'You to Everyone, 02:13 PM, Hi')], self, 1)).toMatchObject([
      { own: true, senderId: '2048', senderName: 'Rapporteur' },
    ]);
    const byName = new ZoomChat(() => self).applyRows([row('2', 'Rapporteur to Everyone, 02:13 PM, Hi')], self, 1);
    expect(byName).toMatchObject([{ own: true, senderId: '2048' }]);
  });
});
