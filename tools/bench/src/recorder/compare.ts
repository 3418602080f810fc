import { spreadOf, reported } from '../measure/figures.ts';
import type { Contender } from './contenders.ts';
import type { Take } from './take.ts';

/** The part of a take that the tables need. */
export type Figures = Pick<
  Take,
  'cpuPerMinute' | 'setupCpu' | 'endCpu' | 'peakPssMb' | 'frameShare' | 'captureStrategies' | 'refusals' | 'load'
>;

/** One round's takes, by contender's name. A failed contender has its error message instead. */
export type Round = ReadonlyMap<string, Figures | string>;

export interface Comparison {
  readonly rows: readonly string[];
  /** One sentence for each take without a figure. */
  readonly refused: readonly string[];
}

const head = [
  '| way | CPU-s per recorded minute | of the field | goal | peak PSS, MB | of the field | goal | frames | start, CPU-s | end, CPU-s | rounds |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];

/** Ratios are those of one round's pair, and only of pairs with two valid recordings. */
export function compare(contenders: readonly Contender[], rounds: readonly Round[]): Comparison {
  const refused: string[] = [];
  const rows = contenders.map((contender) => {
    const takes: Figures[] = [];
    const pairs: { ours: Figures; field: Figures }[] = [];
    const reference = contenders.find(({ kind, audio }) => kind === 'reference' && audio === contender.audio);
    rounds.forEach((round, index) => {
      const take = round.get(contender.name);
      if (take === undefined) return;
      const why = whyNot(take);
      if (why !== null) return void refused.push(`Round ${index + 1}, ${contender.name}: no figure. ${why}`);
      takes.push(take as Figures);
      const field = round.get(reference?.name ?? '');
      if (contender.kind !== 'reference' && field !== undefined && whyNot(field) === null)
        pairs.push({ ours: take as Figures, field: field as Figures });
    });
    return rowOf(contender, takes, pairs);
  });
  return { rows: [...head, ...rows], refused };
}

function whyNot(take: Figures | string): string | null {
  if (typeof take === 'string') return take;
  return take.refusals.length === 0 ? null : take.refusals.join(' ');
}

function rowOf(
  { name, kind, goals }: Contender,
  takes: readonly Figures[],
  pairs: readonly { ours: Figures; field: Figures }[],
): string {
  if (takes.length === 0) return `| ${name} | no figure |  |  |  |  |  |  |  |  | 0 |`;
  const of = (pick: (take: Figures) => number | null, digits: number): string => {
    const figures = takes.map(pick).filter((figure) => figure !== null);
    return figures.length === 0 ? '' : reported(figures, digits);
  };
  const ratio = (pick: (take: Figures) => number, goal: number | undefined): string[] => {
    if (kind === 'reference') return ['1', ''];
    if (pairs.length === 0) return ['no pair', ''];
    const ratios = pairs.map(({ ours, field }) => pick(ours) / pick(field));
    if (goal === undefined) return [reported(ratios), ''];
    return [reported(ratios), `≤ ${goal.toFixed(2)}: ${spreadOf(ratios).median <= goal ? 'met' : 'missed'}`];
  };
  const used = [...new Set(takes.flatMap(({ captureStrategies }) => captureStrategies))].join(', ');
  const cells = [
    goals === null ? name : `${name} (${used})`,
    of(({ cpuPerMinute }) => cpuPerMinute, 2),
    ...ratio(({ cpuPerMinute }) => cpuPerMinute, goals?.cpu),
    of(({ peakPssMb }) => peakPssMb, 0),
    ...ratio(({ peakPssMb }) => peakPssMb, goals?.pss),
    of(({ frameShare }) => (frameShare === null ? null : frameShare * 100), 1),
    of(({ setupCpu }) => setupCpu, 1),
    of(({ endCpu }) => endCpu, 1),
    String(takes.length),
  ];
  return `| ${cells.join(' | ')} |`;
}
