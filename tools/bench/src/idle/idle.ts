import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '@rapporteur/local-stack/stack';
import { machine } from '../measure/figures.ts';
import { memoryOf } from '../measure/process-tree.ts';

const goalMb = 450;
const notServices: ReadonlySet<string> = new Set(['postgres', 'nats', 'simulator']);
const root = join(import.meta.dirname, '../../../..');

/** Resident memory of every service after so many seconds without a request, and the duration of the start. */
export async function measureIdle({ seconds, say }: { seconds: number; say: (text: string) => void }): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rapporteur-idle-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(dataFolder, 0o755);
  const ports = { api: 0, files: 0, simulator: 0 };
  const options = { dataFolder, ports, simulator: false, maxConcurrentBots: 4, logLevel: 'info' } as const;
  try {
    say(machine());
    for (const which of ['first', 'second']) {
      const beganAtMs = performance.now();
      const stack = await startStack(options, { root, say });
      say(`${which} start, without the simulator: ${((performance.now() - beganAtMs) / 1000).toFixed(1)} s`);
      try {
        if (which === 'second') await printMemory(stack.processes(), seconds, say);
      } finally {
        await stack.stop();
      }
    }
    say(machine());
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function printMemory(
  pids: ReadonlyMap<string, number>,
  seconds: number,
  say: (text: string) => void,
): Promise<void> {
  await sleep(seconds * 1_000);
  const services = [...pids]
    .filter(([name]) => !notServices.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  let totalMb = 0;
  let totalPssMb = 0;
  for (const [name, pid] of services) {
    const [residentMb, { pssMb, ownMb }] = [await residentMbOf(pid), await memoryOf(pid)];
    totalMb += residentMb;
    totalPssMb += pssMb;
    say(
      `${name.padEnd(16)} ${residentMb.toFixed(0).padStart(4)} MB resident, ${pssMb.toFixed(0)} MB PSS, ${ownMb.toFixed(0)} MB its own`,
    );
  }
  say(
    `together ${totalMb.toFixed(0)} MB resident (${totalPssMb.toFixed(0)} MB PSS); goal <= ${goalMb}: ${totalMb <= goalMb ? 'met' : 'missed'}`,
  );
}

async function residentMbOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024;
}
