import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { slowestReading } from '@rapporteur/testbed';
import { MeetChat, sentAtMsOf } from './meet/meet-signals.ts';
import { createMeetClient } from './meet/meet-platform.ts';
import { builtInPagePack } from './page-packs/index.ts';
import { SessionJournal } from './session-journal.ts';
import { TeamsChat, messageText } from './teams/chat-log.ts';
import { isMarkedGuest, plainName } from './teams/display-name.ts';
import { decodeTeamsFrame } from './teams/signalling.ts';
import { createTeamsClient } from './teams/teams-platform.ts';
import { OwnMessages } from './web-client/chat-panel.ts';
import { plain } from './web-client/page-text.page.ts';
import { withoutTokens } from './zoom-sdk/zoom-sdk-platform.ts';
import { readChatLine, ZoomChat } from './zoom/zoom-signals.ts';
import { createZoomClient } from './zoom/zoom-platform.ts';

/** What a hostile text of maximal size may take of the runner's only thread. */
const mostMs = 50;
/** Maximum number of characters read of a layer. */
const longestText = 100_000;
const pageLength = 8_000;
const dialogLength = 1_000;
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
const message = { id: 'm', senderId: null, senderName: '', sentAtMs: 0, own: false };
const meet = createMeetClient(builtInPagePack('meet'));
const teams = createTeamsClient(builtInPagePack('teams'));
const zoom = createZoomClient(builtInPagePack('zoom'), 0);
const teamsEvent = { id: 'm', from: '', senderName: null, content: 'Hi', sentAt: '' };
const nowhere = { byRecord: () => null, byName: () => null };
const teamsChat = (event: Partial<typeof teamsEvent>): unknown =>
  new TeamsChat(nowhere).applyEvents([{ ...teamsEvent, ...event }], 0);
const frame = (part: Record<string, unknown>): string => `3:::${JSON.stringify({ url: '/rosterUpdate/', ...part })}`;
const journal = (): SessionJournal => new SessionJournal(log as never, () => 0);
const onPage =
  <S>(read: (page: S) => unknown, page: S) =>
  (text: string): unknown =>
    read({
      ...page,
      text,
      notices: [text],
      dialogs: [text.slice(0, dialogLength)],
      title: text,
      path: `/${text}`,
      buttons: [text],
    });

const expectFast = ({ ms, text }: { ms: number; text: string }): void =>
  expect({ text, ms, slow: ms > mostMs }).toEqual({ text, ms, slow: false });

describe('hostile text of maximal size takes at most 50 ms', () => {
  test.each<[what: string, length: number, read: (text: string) => unknown]>([
    ["a Teams message's markup", longestText, messageText],
    ['the sender of a Teams message', longestText, (from) => teamsChat({ from })],
    ['the time of a Teams message', longestText, (sentAt) => teamsChat({ sentAt })],
    ['a name in Teams', longestText, (name) => [plainName(name), isMarkedGuest(name)]],
    ['the address of a Teams frame', longestText, (url) => decodeTeamsFrame(frame({ url }))],
    ['a row of Zoom chat', longestText, readChatLine],
    [
      'the rows of Zoom chat',
      longestText,
      (label) => new ZoomChat(() => null).applyRows([{ id: null, label }], null, 0),
    ],
    ['the id of a Meet message', longestText, sentAtMsOf],
    [
      'the text of a Meet message',
      longestText,
      (text) => new MeetChat(() => null).applyRows([{ messageId: text, sender: text, own: false, text }], 0),
    ],
    [
      'a message beside those that the bot sends',
      longestText,
      (text) => {
        const own = new OwnMessages();
        for (let sent = 0; sent < 200; sent += 1) own.expect(`Message ${sent}`);
        return own.recognize({ ...message, text }, () => false);
      },
    ],
    ['a line of the console', longestText, (line) => journal().consoleLine(line)],
    ['a step', longestText, (step) => journal().step(step)],
    ['what may hold a token', longestText, withoutTokens],
    ['what a page shows', longestText, plain],
    ['a page of Meet', pageLength, onPage(meet.read, meet.emptySnapshot('meet.google.com'))],
    ['a page of Teams', pageLength, onPage(teams.read, teams.emptySnapshot('teams.microsoft.com'))],
    ['a page of Zoom', pageLength, onPage(zoom.read, zoom.emptySnapshot('app.zoom.us'))],
    [
      'a dialog',
      pageLength,
      (text) => [...meet.dialogs, ...teams.dialogs, ...zoom.dialogs].map((dialog) => dialog.text.test(text)),
    ],
  ])('%s', (_what, length, read) => {
    expectFast(slowestReading(length, read));
  });

  test('a name in a Teams frame', () => {
    const frameOf = (displayName: string): string => {
      const roster = JSON.stringify({ participants: { a: { details: { displayName } } } });
      return frame({ body: deflateSync(roster).toString('base64') });
    };
    expectFast(slowestReading(longestText, decodeTeamsFrame, frameOf));
  });
});
