import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { sumCpuMs } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import { CostMeter } from './take.ts';
import { processTree } from '../measure/process-tree.ts';

/** A process whose child works for a while and ends, and which then waits for a signal to end. */
const program = `
  const { spawnSync } = require('node:child_process');
  process.stdin.once('data', () => {
    spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 200_000);']);
    process.stdout.write('worked');
    process.stdin.once('data', () => process.exit());
  });`;

describe('what a tree of processes costs', () => {
  test('has the time of children that ended, and memory, by cgroup or without', async () => {
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
    const meter = await CostMeter.begin(child.pid ?? 0);
    try {
      const before = await meter.cpuMs();
      child.stdin.write('work');
      await once(child.stdout, 'data');
      const worked = (await meter.cpuMs()) - before;
      // The child used 200 ms; the kernel counts in ticks.
      expect(worked).toBeGreaterThanOrEqual(150);
      expect(sumCpuMs(await processTree(child.pid ?? 0))).toBeGreaterThanOrEqual(150);
      await waitFor(() => meter.totals().some(({ value }) => value > 5), { what: 'a sample of memory' });
      expect(meter.totals({ fromMs: Date.now() + 60_000 })).toEqual([]);
      child.stdin.write('end');
      await once(child, 'exit');
      if (meter.source === 'cgroup') expect(await meter.cpuMs()).toBeGreaterThanOrEqual(before + worked);
    } finally {
      child.kill('SIGKILL');
      await meter.stop();
    }
  });
});
