import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endChild, hasEnded, lastOutput, untilReady } from './child-process.ts';
import { runProgram } from './run-program.ts';

const started: ChildProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((child) => endChild(child, []))));

function run(script: string): { readonly child: ChildProcess; readonly output: () => string } {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return { child, output: lastOutput([child.stdout, child.stderr], 1_000) };
}

describe('a child process', () => {
  test('is ended by a signal, or killed when it ignores it; a second end does nothing', async () => {
    const polite = run('trap "exit 3" TERM; echo up; while :; do sleep 0.01; done');
    const stubborn = run('trap "" TERM; echo up; while :; do sleep 0.01; done');
    for (const { child, output } of [polite, stubborn])
      await untilReady(child, () => output() === 'up', { name: 'sh', deadlineMs: 60_000 });
    await endChild(polite.child, [{ signal: 'SIGTERM', waitMs: 60_000 }]);
    expect(polite.child.exitCode).toBe(3);
    await endChild(stubborn.child, [{ signal: 'SIGTERM', waitMs: 50 }]);
    expect(stubborn.child.signalCode).toBe('SIGKILL');
    await endChild(stubborn.child);
    expect(hasEnded(stubborn.child)).toBe(true);
  });

  test('that ends before it is ready is named, with its last output', async () => {
    const { child, output } = run('echo no disk >&2; exit 4');
    const waiting = untilReady(child, () => false, { name: 'Store', deadlineMs: 60_000, details: output });
    await expect(waiting).rejects.toThrow('Store ended while starting (exit code 4). no disk');
    const again = untilReady(child, () => false, { name: 'Store', deadlineMs: 60_000 });
    await expect(again).rejects.toThrow('Store ended while starting (exit code 4).');
  });

  test('that is not ready in time is named, and the wait ends with its signal', async () => {
    const { child } = run('exec sleep 60');
    const never = new Promise<never>(() => undefined);
    await expect(untilReady(child, never, { name: 'Store', deadlineMs: 20 })).rejects.toThrow(
      'Store was not ready after 0.02 s.',
    );
    const signal = AbortSignal.abort(new Error('stop now'));
    await expect(untilReady(child, never, { name: 'Store', deadlineMs: 60_000, signal })).rejects.toThrow('stop now');
    expect(hasEnded(child)).toBe(false);
  });

  test('that cannot be run is named', async () => {
    const child = spawn('/nowhere/store');
    await expect(untilReady(child, () => false, { name: 'Store', deadlineMs: 60_000 })).rejects.toThrow(
      'Store could not be run: spawn /nowhere/store ENOENT.',
    );
    await endChild(child);
  });
});

describe('a program run to its end', () => {
  const sh = (script: string) => ({ program: '/bin/sh', arguments: ['-c', script], deadlineMs: 60_000 });

  test('gets its input and returns what it wrote on each output', async () => {
    const lines: string[] = [];
    const result = await runProgram({
      ...sh('cat; echo three >&3; printf "one\\ntwo\\nrest" >&2'),
      input: [Buffer.from('in'), Buffer.from('put')],
      outputs: 1,
      onErrorLine: (line) => lines.push(line),
    });
    expect(String(result.output)).toBe('input');
    expect(result.outputs.map(String)).toEqual(['three\n']);
    expect(lines).toEqual(['one', 'two']);
    expect(result.errors).toBe('one\ntwo\nrest');
  });

  test('fails with its name, how it ended and its last output', async () => {
    await expect(runProgram(sh('echo no codec >&2; exit 2'))).rejects.toThrow(
      '/bin/sh ended with exit code 2: no codec',
    );
    await expect(runProgram({ ...sh('exec sleep 60'), deadlineMs: 20 })).rejects.toThrow(
      '/bin/sh was not finished after 20 ms and was stopped',
    );
    await expect(runProgram({ ...sh(''), program: '/nowhere/sh', input: [Buffer.alloc(10)] })).rejects.toThrow(
      '/nowhere/sh could not be started: spawn /nowhere/sh ENOENT',
    );
    await expect(runProgram(sh('head -c 70000000 /dev/zero'))).rejects.toThrow('wrote more than 67108864 bytes');
  });

  test('may end before it has read its input', async () => {
    const input = Array.from({ length: 20 }, () => Buffer.alloc(100_000));
    expect(String((await runProgram({ ...sh('echo enough'), input })).output)).toBe('enough\n');
  });
});
