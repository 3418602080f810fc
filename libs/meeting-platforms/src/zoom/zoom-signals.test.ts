import { expect, test } from '@jest/globals';
import { ZoomSignals } from './zoom-signals.ts';

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
