import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { provideHelm } from '@rapporteur/cluster';
import { parseObjects } from './rendered.ts';
import type { KubernetesObject } from './rendered.ts';

export const chartFolder = join(import.meta.dirname, '../../../helm/rapporteur');

/** The chart's installations by name: the values files of each, in order. */
export const installations: Readonly<Record<string, readonly string[]>> = {
  production: ['values-production.yaml'],
  trial: ['values-trial.yaml'],
  kind: ['values-trial.yaml', 'values-kind.yaml'],
};

/** Clusters with policies of their own and several clusters, by the name of their values file in `examples`, on top of values-production.yaml. */
export const examples = ['openshift', 'eks', 'gke-autopilot', 'aks', 'mesh', 'ipv6', 'air-gapped', 'clusters'] as const;

const programDeadlineMs = 300_000;

export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Helm {
  /** Never rejects for an exit code; stopped after five minutes, which `errors` then states. */
  run(args: readonly string[]): Promise<ProgramResult>;
}

/** Helm, built when it is missing; against the cluster of a kubeconfig, or with none. */
export async function openHelm(kubeconfig?: string): Promise<Helm> {
  const program = await provideHelm((text) => void process.stdout.write(`${text}\n`));
  const env = { ...process.env, KUBECONFIG: kubeconfig ?? '/nonexistent' };
  return { run: (args) => runProgram(program, args, env) };
}

/** Arguments that name the values files of an installation or an example. */
export function filesOf(installation: string): string[] {
  const files = installations[installation] ?? ['values-production.yaml', `examples/${installation}.yaml`];
  return files.flatMap((file) => ['--values', join(chartFolder, file)]);
}

/**
 * The objects of `helm template` with the values of an installation or example, and with further arguments. Rejects
 * with Helm's message.
 */
export async function renderChart(helm: Helm, name: string, args: readonly string[] = []): Promise<KubernetesObject[]> {
  const place = ['template', 'rapporteur', chartFolder, '--namespace', 'rapporteur'];
  const { code, output, errors } = await helm.run([...place, ...filesOf(name), ...args]);
  if (code !== 0) throw new Error(errors);
  return parseObjects(output);
}

export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ProgramResult> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: programDeadlineMs });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal !== null) errors += `It ended by ${signal}; the deadline is ${programDeadlineMs / 1_000} s.\n`;
  return { code, output, errors };
}
