/** What the probe saw in about one second. Times in epoch ms. */
export interface StallReading {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The most that a timer of the probe fired late. */
  readonly lateMs: number;
  /** Share of the time in which a runnable task waited for a CPU (`/proc/pressure/cpu`); null where the kernel does not report it. */
  readonly cpuPressure: number | null;
}
