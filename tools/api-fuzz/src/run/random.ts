import { seeded } from '@rapporteur/simulator/seeded';
import fc from 'fast-check';

/** Seeded choices, the same on every machine. */
export class Random {
  /** From 0 up to, and without, 1. */
  readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  chance(share: number): boolean {
    return this.fraction() < share;
  }

  /** Throws for an empty list. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('There is nothing to pick from.');
    return list[this.below(list.length)] as T;
  }

  pickOrNull<T>(list: readonly T[]): T | null {
    return list.length === 0 ? null : this.pick(list);
  }

  /** One of the names, by weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [T, number])[0];
  }

  /** One value of an arbitrary. */
  sample<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { seed: this.below(2 ** 31), numRuns: 1 })[0] as T;
  }
}
