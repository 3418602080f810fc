import { expect, test } from '@jest/globals';
import type { VisitLog, VisitSignal } from './platform.ts';
import { VisitJournal } from './visit-journal.ts';

const log: VisitLog = { debug: () => undefined, info: () => undefined, warn: () => undefined };

test.each([
  ['https://app.zoom.us/wc/123/join?pwd=secret', 'https://app.zoom.us/wc/123/join'],
  ['https://teams.live.com/meet/123?p=secret', 'https://teams.live.com/meet/123'],
])('neither a step nor a console line holds the passcode of %s', (address, plain) => {
  const journal = new VisitJournal(log, () => 0);
  const told: VisitSignal[] = [];
  journal.listen((signal) => told.push(signal));
  journal.step(`page-did-not-open: page.goto: net::ERR_TIMED_OUT at ${address}`);
  journal.consoleLine(`error: ${address} was refused`);
  const step = `page-did-not-open: page.goto: net::ERR_TIMED_OUT at ${plain}`;
  expect([told, journal.steps]).toMatchObject([[{ kind: 'step', step }], [{ step }]]);
  expect(journal.consoleTail).toEqual([`error: ${plain} was refused`]);
});
