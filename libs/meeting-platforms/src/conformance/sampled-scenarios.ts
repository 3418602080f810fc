import type { OutcomeScenario } from './outcome-scenario.ts';

type Ending = Pick<OutcomeScenario, 'room' | 'reaches' | 'then' | 'ends' | 'staysMs'>;

const requested = { admitAfterMs: 1_500 };

/** The ending of a sampled meeting. Its variants come from the seed, and none of them may change the ending. */
const endings: readonly (readonly [string, (seed: number, platform: string) => Ending])[] = [
  [
    'stays',
    (seed) => ({ room: { variant: { seed, ...requested } }, reaches: 'in-call', ends: 'in-call', staysMs: 2_000 }),
  ],
  [
    'is removed',
    (seed) => ({
      room: { variant: { seed, ...requested } },
      reaches: 'in-call',
      then: (room, botName) => room.remove(botName),
      ends: 'removed',
    }),
  ],
  [
    'is there when the host ends it',
    (seed) => ({
      room: { variant: { seed, ...requested } },
      reaches: 'in-call',
      then: (room) => room.endForEveryone(),
      ends: 'ended-by-host',
    }),
  ],
  [
    'is refused',
    (seed) => ({ room: { lobby: 'refuse', variant: { seed, ...requested } }, reaches: 'waiting-room', ends: 'denied' }),
  ],
  [
    'is not answered',
    // Zoom lets guests wait without a limit: a guest who is removed from the waiting room was denied.
    (seed, platform) => ({
      room: { lobby: 'wait', lobbyTimeoutMs: 2_000, variant: { seed } },
      reaches: 'waiting-room',
      ends: platform.startsWith('zoom') ? 'denied' : 'no-response',
    }),
  ],
];

/** Meetings with sampled variants, the same for the same seed. The endings are used in rotation. */
export function sampledScenarios(platform: string, firstSeed: number, count: number): OutcomeScenario[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index;
    const [what, ending] = endings[index % endings.length]!;
    return { name: `seed ${seed}: ${what}`, platforms: [platform], ...ending(seed, platform) };
  });
}
