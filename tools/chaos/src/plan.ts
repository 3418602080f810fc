import { seeded } from '@rapporteur/testbed';

/** Everything that can be killed or frozen. */
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

/** Every connection to a server whose network may fail: `client>server`. */
export const links = [
  'api-gateway>postgres',
  'bot-scheduler>postgres',
  'storage-config>postgres',
  'delivery>postgres',
  'sso-idp>postgres',
  'calendar-sync>postgres',
  'transcriber>postgres',
  'api-gateway>nats',
  'bot-scheduler>nats',
  'delivery>nats',
  'sso-idp>nats',
  'calendar-sync>nats',
  'transcriber>nats',
  'bot-runner>nats',
] as const;
export type Link = (typeof links)[number];

interface Timing {
  /** After the end of the fault before it. */
  readonly pauseMs: number;
  /** Downtime of a killed server, or duration of a freeze or stall. A killed service is restarted at once. */
  readonly lastsMs: number;
}

/** `wipe`: NATS is killed and its JetStream store deleted. */
export interface ProcessFault extends Timing {
  readonly kind: 'kill' | 'freeze' | 'wipe';
  readonly target: Target;
}

/** `stall`: traffic is delayed and then passes. `cut`: connections break, and new ones are refused. */
export interface LinkFault extends Timing {
  readonly kind: 'stall' | 'cut';
  readonly target: Link;
}

export type Fault = ProcessFault | LinkFault;

export interface PlanWishes {
  readonly seed: number;
  readonly kills: number;
  readonly freezes: number;
  readonly wipes: number;
  /** Half of them stall a link, half cut it. */
  readonly networkFaults: number;
  /** Of a freeze, a stall and a cut. */
  readonly longestFreezeMs: number;
}

const longestPauseMs = 3_000;
const longestAwayMs = 3_000;

/** The faults of a campaign, in order. Pure: the same parameters give the same plan. */
export function planFaults(wishes: PlanWishes): Fault[] {
  const { seed, kills, freezes, wipes, networkFaults, longestFreezeMs } = wishes;
  const random = seeded(seed);
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  const kinds: Fault['kind'][] = [
    ...Array<'kill'>(kills).fill('kill'),
    ...Array<'freeze'>(freezes).fill('freeze'),
    ...Array<'wipe'>(wipes).fill('wipe'),
    ...Array.from({ length: networkFaults }, (_, index) => (index % 2 === 0 ? 'stall' : 'cut')),
  ];
  const places = kinds.map((kind) => ({ kind, order: random() })).sort((a, b) => a.order - b.order);
  const nextTarget = inTurns(targets, random);
  const nextLink = inTurns(links, random);
  return places.map(({ kind }) => {
    const pauseMs = between(200, longestPauseMs);
    const isShort = kind === 'kill' || kind === 'wipe';
    const lastsMs = isShort ? between(0, longestAwayMs) : between(1_000, Math.max(1_000, longestFreezeMs));
    if (kind === 'stall' || kind === 'cut') return { kind, target: nextLink(), pauseMs, lastsMs };
    return { kind, target: kind === 'wipe' ? 'nats' : nextTarget(), pauseMs, lastsMs };
  });
}

/** Returns every item in sampled order before one is repeated. */
function inTurns<Item>(items: readonly Item[], random: () => number): () => Item {
  let turn: Item[] = [];
  return () => {
    if (turn.length === 0)
      turn = items
        .map((item) => ({ item, order: random() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item);
    return turn.pop() as Item;
  };
}

/** Sequences that may run concurrently: a target, and the links of a client, are in only one of them. */
export function inSequences(faults: readonly Fault[], atOnce: number): Fault[][] {
  const clients = [...targets, 'bot-runner'];
  const sequenceOf = ({ target }: Fault): number => clients.indexOf(target.split('>')[0] ?? '') % atOnce;
  return Array.from({ length: atOnce }, (_, index) => faults.filter((fault) => sequenceOf(fault) === index));
}
