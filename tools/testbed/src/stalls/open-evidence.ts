import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evidenceVariable } from '../evidence/failed-tests.ts';
import { readingsName, startStallProbe } from './start-stall-probe.ts';

/** The folder of a run's evidence, while a stall probe writes its readings there. */
export interface Evidence {
  readonly folder: string;
  /** Ends the probe. Removes a folder in which there is nothing else. */
  close(): Promise<void>;
}

/** The evidence of the current run; without a run, a new one with its own probe. */
export async function openEvidence(): Promise<Evidence> {
  const folder = process.env[evidenceVariable];
  if (folder !== undefined) return { folder, close: async () => undefined };
  const evidence = await startEvidence(mkdtempSync(join(tmpdir(), 'rapporteur-test-evidence-')));
  return {
    folder: evidence.folder,
    close: async () => {
      await evidence.close();
      if (readdirSync(evidence.folder).length > 0) process.stderr.write(`Evidence: ${evidence.folder}\n`);
      else rmSync(evidence.folder, { recursive: true });
    },
  };
}

/** Starts the probe on an empty folder, and names the folder to the processes that this one starts. */
export async function startEvidence(folder: string): Promise<Evidence> {
  const probe = await startStallProbe(folder);
  process.env[evidenceVariable] = folder;
  return {
    folder,
    close: async () => {
      delete process.env[evidenceVariable];
      await probe.stop();
      if (readdirSync(folder).every((name) => name === readingsName))
        rmSync(join(folder, readingsName), { force: true });
    },
  };
}
