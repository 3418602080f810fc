import { seeded } from '@rapporteur/testbed';

/** Everything that may die or freeze. */
export const targets = [
  'api-gateway',
  'bot-scheduler',
  'storage-config',
  'delivery',
  'sso-idp',
  'calendar-sync',
  'transcriber',
  'nats',
  'postgres',
] as const;
export type Target = (typeof targets)[number];

export interface Fault {
  /** `wipe`: NATS is killed and its JetStream store deleted. */
  readonly kind: 'kill' | 'freeze' | 'wipe';
  readonly target: Target;
  /** After the end of the fault before it. */
  readonly pauseMs: number;
  /** How long a killed server stays away, or a target stands still. A killed service is started again at once. */
  readonly lastsMs: number;
}

export interface PlanWishes {
  readonly seed: number;
  readonly kills: number;
  readonly freezes: number;
  readonly wipes: number;
  readonly longestFreezeMs: number;
}

const longestPauseMs = 3_000;
const longestAwayMs = 3_000;

/** The faults of a campaign, in order. Pure: the same wishes give the same plan. */
export function planFaults({ seed, kills, freezes, wipes, longestFreezeMs }: PlanWishes): Fault[] {
  const random = seeded(seed);
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  const kinds = [
    ...Array<'kill'>(kills).fill('kill'),
    ...Array<'freeze'>(freezes).fill('freeze'),
    ...Array<'wipe'>(wipes).fill('wipe'),
  ];
  const places = kinds.map((kind) => ({ kind, order: random() })).sort((a, b) => a.order - b.order);
  // Every target has its turn before one comes again.
  const turns = Array.from({ length: Math.ceil(kinds.length / targets.length) }, () =>
    targets.map((target) => ({ target, order: random() })).sort((a, b) => a.order - b.order),
  ).flat();
  return places.map(({ kind }, index) => ({
    kind,
    target: kind === 'wipe' ? 'nats' : (turns[index]?.target ?? 'nats'),
    pauseMs: between(200, longestPauseMs),
    lastsMs: kind === 'freeze' ? between(1_000, Math.max(1_000, longestFreezeMs)) : between(0, longestAwayMs),
  }));
}
