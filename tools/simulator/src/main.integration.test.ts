import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-program-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function startProgram(): Promise<{ child: ChildProcess; controlUrl: string }> {
  const child = fork(join(import.meta.dirname, 'main.ts'), ['--data-folder', folder], {
    stdio: 'ignore',
    execArgv: [],
  });
  const [message] = (await once(child, 'message')) as [{ ready: string; controlUrl: string }];
  expect(message.ready).toBe('simulator');
  return { child, controlUrl: message.controlUrl };
}

describe('the program', () => {
  test('states where it listens and ends by itself when its parent is gone', async () => {
    const { child, controlUrl } = await startProgram();
    expect((await fetch(`${controlUrl}/info`)).status).toBe(200);
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  test('keeps its certificate for the next start and ends cleanly on SIGTERM', async () => {
    const fingerprints: unknown[] = [];
    for (let run = 0; run < 2; run += 1) {
      const { child, controlUrl } = await startProgram();
      const info = (await (await fetch(`${controlUrl}/info`)).json()) as { certificateSpki: string };
      fingerprints.push(info.certificateSpki);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
    expect(fingerprints[0]).toEqual(fingerprints[1]);
  });
});
