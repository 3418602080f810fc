import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { freePort, waitFor } from '@rapporteur/testbed';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** The address of an engine that is being installed by this pip. */
async function installWith(pip: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'rapporteur-whisper-'));
  const program = (file: string, text: string): void => {
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  };
  mkdirSync(join(root, 'apps/whisper'), { recursive: true });
  writeFileSync(
    join(root, 'apps/whisper/requirements.lock'),
    'anyio==4.1 \\\n    --hash=sha256:1\nav==18.1\nclick==8.5\n',
  );
  program(join(root, 'pip'), pip);
  program(join(root, 'python3'), `mkdir -p "$3/bin" && cp ${join(root, 'pip')} "$3/bin/python"`);
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), root],
    { env: { PATH: `${root}:${process.env['PATH']}`, RAPPORTEUR_PORT: String(port) }, stdio: 'ignore' },
  );
  endings.push(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(root, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${port}`;
}

const read = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init).catch(() => null);
  return response === null ? null : { status: response.status, body: (await response.json()) as object };
};

test('an engine that is being installed refuses requests with the number of packages and the time left', async () => {
  const url = await installWith('echo "Collecting anyio==4.1"; echo "Ignoring av: markers"; exec sleep 600');
  const reason = 'The local engine is being installed: 2 of 3 packages, ready in about 1 min.';
  await waitFor(
    async () => {
      const reply = await read(`${url}/health/ready`);
      return JSON.stringify(reply?.body).includes('2 of 3') && reply;
    },
    { what: 'two packages' },
  );
  expect(await read(`${url}/health/ready`)).toMatchObject({ status: 503, body: { reason } });
  const submitted = await read(`${url}/v1/audio/transcriptions`, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(submitted).toMatchObject({ status: 503, body: { error: { message: reason } } });
});

test('an engine whose installation failed states so and tries again', async () => {
  const url = await installWith('exit 3');
  const failed = 'could not be installed (logs/whisper.log), another attempt follows: ';
  await waitFor(async () => JSON.stringify((await read(`${url}/health/ready`))?.body).includes(failed), {
    what: 'the failure',
  });
});
