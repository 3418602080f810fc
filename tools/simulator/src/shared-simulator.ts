import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Simulator } from './simulator.ts';

/** In the environment of test files: the control address of the simulator of their run. */
const variable = 'RAPPORTEUR_TEST_SIMULATOR';
/** Speech and videos are the same in every run; stored by content, so that no run takes another's. */
export const mediaFolder = join(import.meta.dirname, '../../../node_modules/.cache/rapporteur-simulator');

/** A simulator as another process reaches it. */
export interface OpenSimulator extends Pick<Simulator, 'controlUrl' | 'hostResolverRules' | 'certificateSpki'> {
  /** Ends it unless it is that of the whole run. */
  stop(): Promise<void>;
}

/** Starts one for all test files of a Jest run; resolves with what ends it. */
export async function shareSimulator(): Promise<() => Promise<void>> {
  const simulator = await startOwn();
  process.env[variable] = simulator.controlUrl;
  return simulator.stop;
}

/** The simulator of the run, or a new one where the run has none. */
export async function openSimulator(): Promise<OpenSimulator> {
  const controlUrl = process.env[variable];
  if (controlUrl === undefined) return await startOwn();
  const response = await fetch(`${controlUrl}/info`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`The simulator returned ${response.status} to GET /info.`);
  const { hostResolverRules, certificateSpki } = (await response.json()) as Simulator;
  return { controlUrl, hostResolverRules, certificateSpki, stop: async () => undefined };
}

async function startOwn(): Promise<OpenSimulator> {
  // Only where it runs: its modules take a second to load.
  const { startSimulator } = await import('./simulator.ts');
  const dataFolder = await mkdtemp(join(tmpdir(), 'rapporteur-simulator-'));
  const { controlUrl, hostResolverRules, certificateSpki, stop } = await startSimulator({ dataFolder, mediaFolder });
  return {
    controlUrl,
    hostResolverRules,
    certificateSpki,
    stop: async () => {
      await stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
