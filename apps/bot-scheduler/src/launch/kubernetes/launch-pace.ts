import { assumedPerSecond, isMeasurable, nextThroughput } from './throughput.ts';

export interface LaunchPaceOptions {
  /** Upper limit, from the configuration. */
  readonly perSecond: number;
  readonly now: () => number;
}

/** Burst of the token bucket, in seconds. */
const burstSeconds = 1;
const slowest = 1;
const slowDown = 0.7;
/** Per success: the upper limit is reached again after some hundred launches. */
const speedUp = 0.02;
const keptLatencies = 200;

/**
 * Limits the launch rate: a token bucket whose rate falls when the API server refuses and rises again while it accepts.
 * Also measures how fast the API server completes launches. All figures are of this replica.
 */
export class LaunchPace {
  readonly #options: LaunchPaceOptions;
  readonly #latenciesMs: number[] = [];
  #rate: number;
  #tokens: number;
  #filledAtMs: number;
  #closedUntilMs = 0;
  #throughput: number;
  #inProgress = 0;
  #launchesOfTrain = 0;
  #trainBeganMs = 0;

  constructor(options: LaunchPaceOptions) {
    this.#options = options;
    this.#rate = options.perSecond;
    this.#throughput = Math.min(assumedPerSecond, options.perSecond);
    this.#tokens = Math.max(1, options.perSecond * burstSeconds);
    this.#filledAtMs = options.now();
  }

  /** Launches per second that the API server currently accepts and completes. */
  get perSecond(): number {
    return Math.min(this.#rate, this.#throughput);
  }

  slots(): number {
    const now = this.#options.now();
    if (now < this.#closedUntilMs) return 0;
    const elapsedSeconds = Math.max(0, now - this.#filledAtMs) / 1_000;
    this.#tokens = Math.min(Math.max(1, this.#rate * burstSeconds), this.#tokens + elapsedSeconds * this.#rate);
    this.#filledAtMs = now;
    return Math.max(0, Math.floor(this.#tokens));
  }

  take(): void {
    this.#tokens -= 1;
    if (this.#inProgress === 0) this.#beginTrain(this.#options.now());
    this.#inProgress += 1;
  }

  /** The launch succeeded. Must follow a `take`, like `failed`. */
  accepted(): void {
    this.#rate = Math.min(this.#options.perSecond, this.#rate * (1 + speedUp));
    this.#launchesOfTrain += 1;
    this.#finished();
  }

  /** The launch was refused or failed. */
  failed(): void {
    this.#finished();
  }

  #finished(): void {
    this.#inProgress -= 1;
    const now = this.#options.now();
    const train = { launches: this.#launchesOfTrain, elapsedMs: now - this.#trainBeganMs };
    if (this.#inProgress > 0 && !isMeasurable(train)) return;
    this.#throughput = nextThroughput(this.#throughput, train, this.#options.perSecond);
    this.#beginTrain(now);
  }

  #beginTrain(now: number): void {
    this.#launchesOfTrain = 0;
    this.#trainBeganMs = now;
  }

  /** Nothing is launched for `pauseMs`, and the rate falls. */
  refused(pauseMs: number): void {
    const now = this.#options.now();
    // Concurrent launches are refused together: they count once.
    if (now >= this.#closedUntilMs) this.#rate = Math.max(slowest, this.#rate * slowDown);
    this.#closedUntilMs = Math.max(this.#closedUntilMs, now + pauseMs);
    this.#tokens = Math.max(0, this.#tokens);
  }

  /** Nothing is launched for `pauseMs`; the rate is unchanged. */
  pause(pauseMs: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#options.now() + pauseMs);
  }

  started(latencyMs: number): void {
    this.#latenciesMs.push(Math.max(0, latencyMs));
    if (this.#latenciesMs.length > keptLatencies) this.#latenciesMs.shift();
  }

  /** 95th percentile of the time from launch to start, or null before the first start. */
  get startLatencyMs(): number | null {
    const sorted = this.#latenciesMs.toSorted((one, other) => one - other);
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  }
}
