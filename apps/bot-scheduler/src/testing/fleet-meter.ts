import { loadavg } from 'node:os';
import { systemClock } from '@rapporteur/service-runtime';
import type { ClusterScheduler } from './cluster-scheduler.ts';
import { programNames, readProgramUsage } from './program-usage.ts';
import type { ProgramUsage } from './program-usage.ts';

const sampleMs = 5_000;
/** The metrics of an API server are megabytes of text. */
const samplesPerScrape = 6;
const kinds = ['jobs', 'pods', 'events'] as const;

interface Mark {
  readonly atMs: number;
  readonly programs: ReadonlyMap<string, ProgramUsage>;
  readonly renewals: number;
  readonly watchEvents: number;
  readonly requests: number;
}

/** Samples the programs and the objects of a cluster, and prints a line for each phase. */
export class FleetMeter {
  readonly #opened: ClusterScheduler;
  readonly #stopped = new AbortController();
  readonly #peakBytes = new Map<string, number>();
  readonly #most = { jobs: 0, pods: 0, events: 0 };
  #mostStoredBytes = 0;
  #mostLoad = 0;
  #phase: { readonly name: string; readonly began: Mark } | null = null;
  #sampling: Promise<void> = Promise.resolve();

  constructor(opened: ClusterScheduler) {
    this.#opened = opened;
  }

  start(): void {
    this.#sampling = this.#sample();
  }

  /** Prints the peaks, also after a failure. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#sampling;
    this.#printPeaks();
  }

  /** Ends the phase before, if there is one; null: no other follows. */
  async begin(name: string | null): Promise<void> {
    const now = await this.#mark();
    if (this.#phase !== null) print(`${this.#phase.name}, ${describe(this.#phase.began, now)}; load ${loadNow()}`);
    this.#phase = name === null ? null : { name, began: now };
  }

  #printPeaks(): void {
    const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
    const memory = programNames.map((name) => `${name} ${megabytes(this.#peakBytes.get(name) ?? 0)}`).join(', ');
    const { jobs, pods, events } = this.#most;
    print(`highest memory: ${memory}`);
    print(`most objects: ${jobs} Jobs, ${pods} pods, ${events} events; etcd ${megabytes(this.#mostStoredBytes)}`);
    print(`highest load ${this.#mostLoad.toFixed(1)}`);
  }

  async #sample(): Promise<void> {
    const { signal } = this.#stopped;
    const { cluster, runners, sent } = this.#opened;
    for (let number = 0; !signal.aborted; number += 1) {
      for (const [name, { memoryBytes }] of readProgramUsage())
        this.#peakBytes.set(name, Math.max(this.#peakBytes.get(name) ?? 0, memoryBytes));
      for (const kind of kinds) {
        const count = await cluster.count(kind).catch(() => 0);
        this.#most[kind] = Math.max(this.#most[kind], count);
      }
      if (number % samplesPerScrape === 0) {
        await this.#scrape();
        const inMeetings = runners.attendances.filter(({ leftAtMs }) => leftAtMs === null).length;
        process.stderr.write(
          `${new Date().toISOString()} ${this.#phase?.name}: ${inMeetings} in their meetings, ${runners.attendances.length} so far; ` +
            `${JSON.stringify({ ...this.#most, ...sent })}; load ${loadNow()}\n`,
        );
      }
      this.#mostLoad = Math.max(this.#mostLoad, loadavg()[0] ?? 0);
      await systemClock.sleep(sampleMs, signal).catch(() => undefined);
    }
  }

  async #mark(): Promise<Mark> {
    const programs = readProgramUsage();
    const { renewals } = this.#opened.sent;
    return { atMs: Date.now(), programs, renewals, ...(await this.#scrape()) };
  }

  async #scrape(): Promise<{ readonly watchEvents: number; readonly requests: number }> {
    const text = await this.#opened.cluster.client.request<string>('GET', '/metrics').catch(() => '');
    this.#mostStoredBytes = Math.max(this.#mostStoredBytes, sumOf(text, 'apiserver_storage_size_bytes'));
    return {
      watchEvents: sumOf(text, 'apiserver_watch_events_total'),
      requests: sumOf(text, 'apiserver_request_total'),
    };
  }
}

/** One line of the result. */
export function print(text: string): void {
  process.stderr.write(`fleet: ${text}\n`);
}

const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);

function describe(before: Mark, after: Mark): string {
  const seconds = (after.atMs - before.atMs) / 1_000;
  const perSecond = (what: 'renewals' | 'watchEvents' | 'requests'): string =>
    ((after[what] - before[what]) / seconds).toFixed(0);
  const cores = programNames.map((name) => {
    const cpuMs = (after.programs.get(name)?.cpuMs ?? 0) - (before.programs.get(name)?.cpuMs ?? 0);
    return `${name} ${(cpuMs / 1_000 / seconds).toFixed(3)}`;
  });
  return (
    `${seconds.toFixed(0)} s: cores: ${cores.join(', ')}; per second: ${perSecond('requests')} requests to the API server, ` +
    `${perSecond('watchEvents')} watch events, ${perSecond('renewals')} renewals`
  );
}

/** The sum of a metric over its labels. */
function sumOf(metrics: string, name: string): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
