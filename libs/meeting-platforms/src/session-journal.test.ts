import { expect, test } from '@jest/globals';
import type { SessionLog, SessionSignal } from './platform.ts';
import { SessionJournal } from './session-journal.ts';

const log: SessionLog = { debug: () => undefined, info: () => undefined, warn: () => undefined };

test.each([
  ['https://app.zoom.us/wc/123/join?pwd=secret', 'https://app.zoom.us/wc/123/join'],
  ['https://teams.live.com/meet/123?p=secret', 'https://teams.live.com/meet/123'],
])('neither a step nor a console line holds the passcode of %s', (address, plain) => {
  const journal = new SessionJournal(log, () => 0);
  const reported: SessionSignal[] = [];
  journal.listen((signal) => reported.push(signal));
  journal.step(`page-did-not-open: page.goto: net::ERR_TIMED_OUT at ${address}`);
  journal.consoleLine(`error: ${address} was refused`);
  const step = `page-did-not-open: page.goto: net::ERR_TIMED_OUT at ${plain}`;
  expect([reported, journal.steps]).toMatchObject([[{ kind: 'step', step }], [{ step }]]);
  expect(journal.consoleTail).toEqual([`error: ${plain} was refused`]);
});
