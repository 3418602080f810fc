export interface Sample {
  /** Any unit, any zero. */
  readonly at: number;
  readonly value: number;
}

/** With more points than this a subset is used: the pairs would be millions. */
const mostPoints = 600;

/**
 * Growth of `value` per unit of `at`: the median of the slopes of all pairs of samples, so that a few outliers, such as
 * garbage collections, change it little (Theil and Sen).
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
