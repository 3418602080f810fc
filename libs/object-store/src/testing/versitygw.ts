import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endChild, untilReady } from '@rapporteur/process-identity';
import { freePort } from '@rapporteur/testbed';
import { newUser, openBucketOwner } from './s3-server.ts';
import type { S3Server, S3User } from './s3-server.ts';

const run = promisify(execFile);
const commandDeadlineMs = 20_000;
const startDeadlineMs = 60_000;
const region = 'us-east-1';

/**
 * Starts versitygw over a temporary folder on a free loopback port.
 * @param program the file that `provideVersitygw` of tools/cluster builds
 * @throws Error with the program's output when it does not respond in time
 */
export async function startVersitygw(program: string): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-versitygw-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const root = newUser();
  const logFile = join(folder, 'log');
  for (const name of ['objects', 'users']) await mkdir(join(folder, name));
  const log = await open(logFile, 'w');
  const keys = ['--access', root.accessKeyId, '--secret', root.secretAccessKey];
  const listening = ['--port', `127.0.0.1:${port}`, '--region', region];
  const daemon = spawn(
    program,
    [
      ...listening,
      ...keys,
      '--iam-dir',
      join(folder, 'users'),
      '--keep-alive',
      '--quiet',
      'posix',
      join(folder, 'objects'),
    ],
    { stdio: ['ignore', log.fd, log.fd] },
  );
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      await endChild(daemon, []);
      await log.close();
      await rm(folder, { recursive: true, force: true });
    })());
  try {
    const details = (): string => `Its output:\n${readFileSync(logFile, 'utf8')}`;
    const isReady = (): Promise<boolean> => responds(endpoint);
    await untilReady(daemon, isReady, { name: 'versitygw', deadlineMs: startDeadlineMs, pollMs: 50, details });
  } catch (error) {
    await stop();
    throw error;
  }
  const users = new Map<string, S3User>();
  const principalOf = (name: string): string => users.get(name)?.accessKeyId ?? name;
  return {
    ...openBucketOwner({ endpoint, region, ...root, principals: [] }, principalOf),
    stop,
    createUser: async (name) => {
      const user = newUser();
      const created = ['-a', user.accessKeyId, '-s', user.secretAccessKey, '-r', 'user'];
      const admin = ['admin', ...keys, '--region', region, '--endpoint-url', endpoint, 'create-user', ...created];
      await run(program, admin, { timeout: commandDeadlineMs, killSignal: 'SIGKILL' });
      users.set(name, user);
      return user;
    },
  };
}

/** Without a signature it responds 403. */
async function responds(endpoint: string): Promise<boolean> {
  const response = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  await response?.body?.cancel();
  return response !== null;
}
