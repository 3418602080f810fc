export interface Sample {
  /** Any unit, any zero. */
  readonly at: number;
  readonly value: number;
}

/** More points than this are thinned out: their pairs would be millions. */
const mostPoints = 600;

/**
 * How much `value` grows per unit of `at`: the middle of the slopes of all pairs of samples, so that a few wild samples, as a
 * collection of garbage makes them, move it little (Theil and Sen).
 * @returns null for fewer than two moments
 */
export function slopeOf(samples: readonly Sample[]): number | null {
  const step = Math.max(1, Math.ceil(samples.length / mostPoints));
  const points = samples.filter((_sample, index) => index % step === 0);
  const slopes: number[] = [];
  points.forEach((from, index) => {
    for (const to of points.slice(index + 1))
      if (to.at !== from.at) slopes.push((to.value - from.value) / (to.at - from.at));
  });
  slopes.sort((left, right) => left - right);
  const middle = slopes.length / 2;
  const [low, high] = [slopes[Math.ceil(middle) - 1], slopes[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
