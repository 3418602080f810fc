/** Launches whose create requests were in progress together, or followed each other without a pause. */
export interface LaunchTrain {
  readonly launches: number;
  readonly elapsedMs: number;
}

/** What an API server is assumed to complete per second before anything was measured. */
export const assumedPerSecond = 20;
/** Fewer say how long one request takes, not how many the API server completes per second. */
const fewestLaunches = 10;
/** What is done in less time says nothing about what lasts. */
const shortestMs = 1_000;
/** Launches after which an older measurement has about a third of the weight. */
const memory = 50;

/** Whether a train is long enough to be measured before it ends. */
export function isMeasurable({ launches, elapsedMs }: LaunchTrain): boolean {
  return launches >= fewestLaunches && elapsedMs >= shortestMs;
}

/**
 * A moving average of the launches that the API server completes per second, at most `limit`. A train that was over in less
 * than a second shows that at least so many launches are possible per second, and can only raise it. Pure.
 */
export function nextThroughput(perSecond: number, train: LaunchTrain, limit: number): number {
  const shown = Math.min(limit, train.launches / (Math.max(shortestMs, train.elapsedMs) / 1_000));
  if (shown <= perSecond && !isMeasurable(train)) return perSecond;
  return perSecond + (shown - perSecond) * (1 - Math.exp(-train.launches / memory));
}
