import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { findProcessesNaming, identify, isAlive, signalProcess } from './process-identity.ts';

describe('the identity of a process', () => {
  test('follows a process from its start to its end', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const identity = identify(child.pid ?? 0);
    expect(identity).toMatchObject({ pid: child.pid });
    if (identity === null) throw new Error('The child has no identity.');
    expect(isAlive(identity)).toBe(true);
    expect(signalProcess(identity, 'SIGKILL')).toBe(true);
    await ended;
    expect(isAlive(identity)).toBe(false);
    expect(signalProcess(identity, 'SIGKILL')).toBe(false);
  });

  test('a later process with the same number is another one', () => {
    const own = identify(process.pid);
    if (own === null) throw new Error('This process has no identity.');
    const earlier = { ...own, startTicks: String(Number(own.startTicks) - 1) };
    expect(isAlive(own)).toBe(true);
    expect(isAlive(earlier)).toBe(false);
    expect(signalProcess(earlier, 'SIGTERM')).toBe(false);
  });

  test('finds processes by what their environment names, and never itself', async () => {
    const mark = `mark-${randomUUID()}`;
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
      env: { ...process.env, MARK: mark },
    });
    try {
      await once(child, 'spawn');
      expect(findProcessesNaming(mark).map(({ pid }) => pid)).toEqual([child.pid]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
