import { expect, test } from '@jest/globals';
import { TeamsSignals } from './teams-signals.ts';

test('a chat event of an unknown form costs none of the others of its batch', () => {
  const reported: unknown[] = [];
  const host = {
    driver: { page: { on: () => undefined } },
    ports: { clock: { now: () => 0 } },
    reportChat: (messages: readonly unknown[]) => reported.push(...messages),
  };
  const layers = { rosterFrames: true, rosterResponses: false, conversationEnd: true };
  const signals = new TeamsSignals(host as never, layers as never);
  const event = (id: string) => ({
    id,
    from: 'https://teams.microsoft.com/v1/users/ME/contacts/8:orgid:ada',
    senderName: 'Ada',
    content: `<p>${id}</p>`,
    sentAt: '2027-01-11T09:00:00.000Z',
  });
  signals.receive({ kind: 'chat', events: [event('1'), null, { ...event('2'), content: null }, event('3')] });
  signals.stop();
  expect(reported).toHaveLength(2);
});
