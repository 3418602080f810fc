/** Launches whose create requests overlapped or followed each other without a pause. */
export interface LaunchTrain {
  readonly launches: number;
  readonly elapsedMs: number;
}

/** The assumed completions per second before the first measurement. */
export const assumedPerSecond = 20;
/** Fewer launches measure the latency of a request, not the throughput of the API server. */
const fewestLaunches = 10;
/** A shorter time does not measure sustained throughput. */
const shortestMs = 1_000;
/** After so many launches an older measurement weighs about a third. */
const memory = 50;

/** Whether a train is long enough to be measured before it ends. */
export function isMeasurable({ launches, elapsedMs }: LaunchTrain): boolean {
  return launches >= fewestLaunches && elapsedMs >= shortestMs;
}

/**
 * A moving average of the launches that the API server completes per second, at most `limit`. A train of less than a
 * second is a lower bound and can only raise the average. Pure.
 */
export function nextThroughput(perSecond: number, train: LaunchTrain, limit: number): number {
  const shown = Math.min(limit, train.launches / (Math.max(shortestMs, train.elapsedMs) / 1_000));
  if (shown <= perSecond && !isMeasurable(train)) return perSecond;
  return perSecond + (shown - perSecond) * (1 - Math.exp(-train.launches / memory));
}
