import { readFileSync } from 'node:fs';
import { memoryBytesOf, readAllStats, sumCpuMs, treeBelow } from '@rapporteur/process-identity';

/** Resource usage of all processes of one program. */
export interface ProgramUsage {
  /** Since the program's start. */
  readonly cpuMs: number;
  /** Shared pages counted once. */
  readonly memoryBytes: number;
}

/** The programs of a cluster test, by a part of their command line; the first match counts. */
const programs: readonly (readonly [string, RegExp])[] = [
  ['kube-apiserver', /kube-apiserver/],
  ['etcd', /\/etcd /],
  ['kube-scheduler', /kube-scheduler/],
  ['kube-controller-manager', /kube-controller-manager/],
  ['bot-scheduler', /bot-scheduler\/src\/main\.ts/],
  ['NATS', /nats-server/],
  ['PostgreSQL', /postgres/],
  ['fake nodes (test)', /run-cluster\.ts/],
];
const others = 'runners (test)';
export const programNames: readonly string[] = [...programs.map(([name]) => name), others];

/**
 * The usage of the programs in the tree of processes that `npm run test:cluster` started; in this one's tree without
 * it.
 */
export function readProgramUsage(): ReadonlyMap<string, ProgramUsage> {
  const all = readAllStats();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  let root = process.pid;
  for (let pid = root; pid > 1; pid = parents.get(pid) ?? 0) if (commandOf(pid).includes('run-cluster.ts')) root = pid;
  const byProgram = Map.groupBy(treeBelow(root, all), ({ pid }) => programOf(commandOf(pid)));
  return new Map(
    Array.from(byProgram, ([name, processes]) => [
      name,
      { cpuMs: sumCpuMs(processes), memoryBytes: memoryBytesOf(processes.map(({ pid }) => pid)) },
    ]),
  );
}

function programOf(command: string): string {
  return programs.find(([, pattern]) => pattern.test(command))?.[0] ?? others;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // It has ended.
    return '';
  }
}
