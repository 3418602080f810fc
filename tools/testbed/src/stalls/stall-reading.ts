/** One reading of the probe, over about one second. Times in epoch ms. */
export interface StallReading {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Maximum lateness of a timer of the probe. */
  readonly lateMs: number;
  /** Share of the time in which a runnable task waited for a CPU (`/proc/pressure/cpu`); null where the kernel does not report it. */
  readonly cpuPressure: number | null;
}
