import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readTree, addsUpPages, ResourceUsageMeter } from './resource-usage-meter.ts';

/** Uses the CPU for `ms`, prints a line, and stays. */
const worker = (ms: number): string =>
  `const t = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };` +
  ` while (t() < ${ms}); console.log('worked', process.pid); setInterval(() => {}, 1000);`;
/** Holds memory, starts a worker, forwards its output. */
const parentOf = (ms: number): string =>
  `globalThis.held = Buffer.alloc(60_000_000, 1);` +
  ` require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(worker(ms))}], { stdio: 'inherit' });` +
  ` setInterval(() => {}, 1000);`;

const started: ChildProcess[] = [];
const orphans: number[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const pid of orphans.splice(0)) process.kill(pid, 'SIGKILL');
});

/** A process with a child that has worked for `ms`. */
async function tree(ms: number): Promise<{ root: ChildProcess; rootPid: number; workerPid: number }> {
  const root = spawn(process.execPath, ['-e', parentOf(ms)], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(root);
  const [said] = (await once(root.stdout, 'data')) as [Buffer];
  return { root, rootPid: root.pid ?? 0, workerPid: Number(/worked (\d+)/.exec(String(said))?.[1]) };
}

describe('what a run spends', () => {
  test('is that of its process and of everything under it, and never less than before when a part of it is killed', async () => {
    const { root, rootPid, workerPid } = await tree(600);
    expect(readTree(rootPid)?.pids).toEqual([rootPid, workerPid]);
    const meter = new ResourceUsageMeter(rootPid);
    const before = meter.sample();
    expect(before.cpuMs).toBeGreaterThanOrEqual(590);
    expect(before.cpuMs).toBeLessThan(10_000);
    expect(before.peakMemoryBytes).toBeGreaterThan(60_000_000);
    expect(before.peakMemoryBytes).toBeLessThan(600_000_000);
    // The worker loses its parent, as a browser's processes do when the browser is killed.
    orphans.push(workerPid);
    root.kill('SIGKILL');
    await once(root, 'exit');
    const after = meter.sample();
    expect(after.cpuMs).toBeGreaterThanOrEqual(before.cpuMs ?? 0);
    expect(after.peakMemoryBytes).toBe(before.peakMemoryBytes);
  }, 60_000);

  test('holds what processes spent that came and went between two samples', async () => {
    const meter = new ResourceUsageMeter();
    const before = meter.sample();
    const { root, workerPid } = await tree(400);
    const during = meter.sample();
    expect((during.cpuMs ?? 0) - (before.cpuMs ?? 0)).toBeGreaterThanOrEqual(390);
    orphans.push(workerPid);
    root.kill('SIGKILL');
    await once(root, 'exit');
    expect(meter.sample().cpuMs).toBeGreaterThanOrEqual(during.cpuMs ?? 0);
    const short = spawn(process.execPath, ['-e', `${worker(300).replace('setInterval(() => {}, 1000);', '')}`]);
    await once(short, 'exit');
    expect((meter.sample().cpuMs ?? 0) - (during.cpuMs ?? 0)).toBeGreaterThanOrEqual(290);
  }, 60_000);

  test('is added up for memory often while a run begins, then once a minute', () => {
    const sampledAt = Array.from({ length: 40 }, (_none, polls) => polls).filter(addsUpPages);
    // One poll every five seconds.
    expect(sampledAt.map((polls) => polls * 5)).toEqual([0, 5, 15, 35, 60, 120, 180]);
  });

  test('is unknown where no such process is, but for what was uploaded', () => {
    const meter = new ResourceUsageMeter(2 ** 22 + 1);
    for (const [bytes, kind] of [
      [5, 'fragments'],
      [7, 'fragments'],
      [4, 'video'],
    ] as const)
      meter.uploaded(bytes, kind);
    expect(meter.sample()).toEqual({
      cpuMs: null,
      peakMemoryBytes: null,
      uploadedBytes: 16,
      uploadRequests: 3,
      uploads: { fragments: { bytes: 12, requests: 2 }, video: { bytes: 4, requests: 1 } },
    });
  });
});
