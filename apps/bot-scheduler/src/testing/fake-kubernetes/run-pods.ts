import { environmentOf } from '../pod-runners.ts';
import type { PodSpec } from '../pod-runners.ts';
import type { LightRun } from '../light-runner.ts';
import { jobName } from './cluster.ts';
import type { FakeCluster } from './cluster.ts';

/** Runs a function for every running pod and reports its result. Returns a function that stops it. */
export function runPods(cluster: FakeCluster, run: (run: LightRun) => Promise<number>): () => Promise<void> {
  const stopped = new AbortController();
  const running = new Map<string, Promise<void>>();
  const start = async (job: string, spec: PodSpec): Promise<void> => {
    const environment = environmentOf(spec);
    const { signal: killed } = stopped;
    const terminated = new AbortController().signal;
    const exitCode = await run({ environment, killed, terminated }).catch((error: unknown) => {
      cluster.logs.set(`${job}-abcde`, String(error));
      return 1;
    });
    cluster.endPod(job, { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' });
  };
  const unsubscribe = cluster.store.onChange(({ object: { kind, metadata, spec, status } }) => {
    if (kind !== 'Pod' || status['phase'] !== 'Running' || running.has(metadata.uid)) return;
    running.set(metadata.uid, start(metadata.labels[jobName] ?? '', spec as unknown as PodSpec));
  });
  return async () => {
    unsubscribe();
    stopped.abort();
    await Promise.all(running.values());
  };
}
