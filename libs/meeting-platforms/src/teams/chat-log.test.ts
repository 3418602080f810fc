import { describe, expect, test } from '@jest/globals';
import type { MeetingParticipant } from '../platform.ts';
import { TeamsChat, messageText } from './chat-log.ts';
import type { TeamsChatRow } from './page-state.ts';
import type { TeamsChatEvent } from './teams.page.ts';
import { isMarkedGuest, plainName } from './display-name.ts';

const participant = (id: string, name: string, isSelf = false): MeetingParticipant => ({
  id,
  name,
  avatarUrl: null,
  isSelf,
  isHost: false,
  present: true,
  appearedAtMs: 0,
  leftAtMs: null,
});
const everybody = [participant('8:orgid:a', 'Alice'), participant('8:teamsvisitor:x', 'Bot', true)];
const chatOf = (participants = everybody): TeamsChat =>
  new TeamsChat({
    byRecord: (id) => participants.find((one) => one.id === id) ?? null,
    byName: (name) => participants.find((one) => one.name === name) ?? null,
  });
const event = (more: Partial<TeamsChatEvent> = {}): TeamsChatEvent => ({
  id: '1',
  from: 'https://teams.microsoft.com/v1/contacts/8:orgid:a',
  senderName: 'Alice M.',
  content: '<p>Hello &amp; welcome</p>',
  sentAt: '2026-11-21T14:00:00.000Z',
  ...more,
});
const row = (more: Partial<TeamsChatRow> = {}): TeamsChatRow => ({
  messageId: 'mid-9',
  sender: 'Alice',
  own: false,
  text: 'Hello & welcome',
  sentAtMs: Date.parse('2026-11-21T14:00:00.000Z'),
  ...more,
});

describe('TeamsChat', () => {
  test("reads what the client's listener got, with the sender of the records", () => {
    expect(chatOf().applyEvents([event()], 5)).toEqual([
      {
        id: '1',
        senderId: '8:orgid:a',
        senderName: 'Alice',
        text: 'Hello & welcome',
        sentAtMs: Date.parse('2026-11-21T14:00:00.000Z'),
        own: false,
      },
    ]);
  });

  test('reports a message once, whichever layer brings it first and under whatever id', () => {
    const chat = chatOf();
    expect(chat.applyEvents([event()], 0)).toHaveLength(1);
    expect(chat.applyRows([row()], 0)).toEqual([]);
    expect(chat.applyRows([row()], 0)).toEqual([]);
    const other = chatOf();
    expect(other.applyRows([row()], 0)).toHaveLength(1);
    expect(other.applyEvents([event()], 0)).toEqual([]);
  });

  test('a message whose event had an unknown sender is the own one when its row says so', () => {
    const chat = chatOf([]);
    expect(chat.applyEvents([event({ senderName: 'Bot' })], 0)).toMatchObject([{ id: '1', own: false }]);
    expect(chat.applyRows([row({ own: true, sender: null })], 0)).toMatchObject([{ id: '1', own: true }]);
    expect(chat.applyRows([row({ own: true, sender: null })], 0)).toEqual([]);
  });

  test('the same words said twice are two messages', () => {
    const chat = chatOf();
    expect(chat.applyEvents([event(), event({ id: '2' })], 0)).toHaveLength(2);
    expect(chat.applyRows([row(), row({ messageId: 'mid-10' })], 0)).toEqual([]);
    expect(chat.applyRows([row({ messageId: 'mid-11' })], 0)).toHaveLength(1);
  });

  test("knows the bot's own messages, by the row or by the sender", () => {
    expect(chatOf().applyRows([row({ own: true, sender: null })], 0)).toMatchObject([{ own: true, senderId: null }]);
    expect(chatOf().applyEvents([event({ from: '8:teamsvisitor:x' })], 0)).toMatchObject([{ own: true }]);
  });

  test('an unknown sender keeps the name that is shown, and a message without a time gets the present', () => {
    expect(chatOf([]).applyEvents([event({ sentAt: '' })], 7)).toMatchObject([
      { senderId: null, senderName: 'Alice M.', sentAtMs: 7 },
    ]);
  });
});

describe('messageText', () => {
  test.each([
    ['plain words', 'plain words'],
    ['<div><p>One</p>\n<p>Two &lt;b&gt; &#39;x&#x27; &amp;amp;</p></div>', "One\nTwo <b> 'x' &amp;"],
    ['a<br/>b', 'a\nb'],
    ['<img src="x" alt="🎉"> done&nbsp;now', '🎉 done now'],
    ['&bogus; &#0; &#1114112;', '&bogus; &#0; &#1114112;'],
    ['&#55357;&#56832; &#xD83D;, &#xDE00;', '😀 \ufffd, \ufffd'],
    ['<p> </p>', ''],
  ])('%j reads %j', (html, text) => {
    expect(messageText(html)).toBe(text);
  });
});

describe('plainName', () => {
  test.each([
    ['Zoe (Unverified)', 'Zoe'],
    ['Zoe (Guest) (Unverified)', 'Zoe'],
    ['Zoe (she/her)', 'Zoe (she/her)'],
    ['Unknown user', null],
    ['(Guest)', null],
    [null, null],
  ])('%j is %j', (shown, name) => {
    expect(plainName(shown)).toBe(name);
  });

  test('the mark identifies a guest', () => {
    expect([isMarkedGuest('Zoe (Guest)'), isMarkedGuest('Zoe'), isMarkedGuest(null)]).toEqual([true, false, false]);
  });
});
