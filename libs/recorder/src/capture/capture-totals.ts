import type { CaptureStats } from '@rapporteur/page-capture';

const counted = [
  'framesReceived',
  'framesEncoded',
  'framesRepeated',
  'framesSkippedByRateLimit',
  'framesUnrecorded',
  'framesDropped',
  'audioDiscontinuities',
  'lateAudioMs',
  'audioOwnersReported',
  'audioSharedMs',
  'audioUnownedMs',
] as const;

export type CaptureCounts = Readonly<Record<(typeof counted)[number], number>>;

/** The sums over all captures of one recording: each begins at zero. */
export class CaptureTotals {
  #over: CaptureCounts = sumOf(null, null);

  /** A capture has ended; `stats` are its last ones. */
  close(stats: CaptureStats | null): void {
    this.#over = sumOf(this.#over, stats);
  }

  with(running: CaptureStats | null): CaptureCounts {
    return sumOf(this.#over, running);
  }
}

function sumOf(one: CaptureCounts | null, other: CaptureCounts | null): CaptureCounts {
  const sums = counted.map((name) => [name, (one?.[name] ?? 0) + (other?.[name] ?? 0)]);
  return Object.fromEntries(sums) as CaptureCounts;
}
