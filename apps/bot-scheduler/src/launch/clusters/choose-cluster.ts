/** What decides where a run is launched. */
export interface Candidate {
  /** Share of the runs, relative to the other clusters; 0: none. */
  readonly weight: number;
  /** Runs that have not ended. */
  readonly runs: number;
  /** Launches that may begin now. */
  readonly room: number;
  /** Runs that it accepted do not start, or it refuses their pods. */
  readonly obstructed: boolean;
}

/**
 * The cluster with the fewest runs for its weight, of those that have room; obstructed ones only when all others have
 * none. Undefined: none has room. Pure.
 */
export function chooseCluster<T extends Candidate>(clusters: readonly T[]): T | undefined {
  const open = clusters.filter(({ weight, room }) => weight > 0 && room > 0);
  const free = open.filter(({ obstructed }) => !obstructed);
  const load = ({ runs, weight }: Candidate): number => (runs + 1) / weight;
  return (free.length > 0 ? free : open).toSorted((one, other) => load(one) - load(other))[0];
}
