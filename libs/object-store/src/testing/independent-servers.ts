import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endChild, untilReady } from '@rapporteur/process-identity';
import { freePort } from '@rapporteur/testbed';
import { newUser, openBucketOwner, policyOf } from './s3-server.ts';
import type { S3Server, S3User } from './s3-server.ts';

const commandDeadlineMs = 20_000;
const startDeadlineMs = 60_000;
const region = 'us-east-1';
const run = (program: string, arguments_: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  promisify(execFile)(program, arguments_, { timeout: commandDeadlineMs, killSignal: 'SIGKILL', env });

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly root: S3User;
}

interface Launch {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server over a temporary folder. */
async function launch(prepare: (place: Place) => Launch | Promise<Launch>) {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-s3-'));
  const place = { folder, port: await freePort(), root: newUser() };
  const endpoint = `http://127.0.0.1:${place.port}`;
  const logFile = join(folder, 'log');
  for (const name of ['objects', 'users']) await mkdir(join(folder, name));
  const { name, program, arguments: given, env } = await prepare(place);
  const log = await open(logFile, 'w');
  const daemon = spawn(program, given, { stdio: ['ignore', log.fd, log.fd], env: { ...process.env, ...env } });
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
    await untilReady(daemon, isReady, { name, deadlineMs: startDeadlineMs, pollMs: 50, details });
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...place, endpoint, stop };
}

/** Without a signature they respond 403, and 503 while they start. */
async function responds(endpoint: string): Promise<boolean> {
  const response = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  await response?.body?.cancel();
  return response !== null && response.status < 500;
}

/** Provides the file of the server's program with this name. */
type Provide = (name: 'versitygw' | 'minio' | 'mc' | 'weed') => Promise<string>;

/**
 * Starts the S3 server that the variable STORE names, versitygw by default, on a free loopback port.
 * @returns its start, which throws Error with the program's output when it does not respond in time
 */
export async function independentServer(provide: Provide): Promise<() => Promise<S3Server>> {
  const { STORE = 'versitygw' } = process.env;
  if (STORE === 'versitygw') {
    const program = await provide('versitygw');
    return () => startVersitygw(program);
  }
  if (STORE === 'seaweedfs') {
    const program = await provide('weed');
    return () => startSeaweed(program);
  }
  if (STORE !== 'minio') throw new Error(`STORE: versitygw, minio or seaweedfs, not ${STORE}.`);
  const programs = { minio: await provide('minio'), mc: await provide('mc') };
  return () => startMinio(programs);
}

async function startVersitygw(program: string): Promise<S3Server> {
  const keysOf = ({ accessKeyId, secretAccessKey }: S3User) => ['--access', accessKeyId, '--secret', secretAccessKey];
  const { endpoint, root, stop } = await launch(({ folder, port, root: user }) => {
    const listening = ['--port', `127.0.0.1:${port}`, '--region', region, ...keysOf(user)];
    const kept = ['--iam-dir', join(folder, 'users'), '--keep-alive', '--quiet', 'posix', join(folder, 'objects')];
    return { name: 'versitygw', program, arguments: [...listening, ...kept] };
  });
  const users = new Map<string, S3User>();
  const principalOf = (name: string): string => users.get(name)?.accessKeyId ?? name;
  return {
    ...openBucketOwner({ endpoint, region, ...root, principals: [] }, principalOf),
    stop,
    createUser: async (name) => {
      const user = newUser();
      const created = ['-a', user.accessKeyId, '-s', user.secretAccessKey, '-r', 'user'];
      const admin = ['admin', ...keysOf(root), '--region', region, '--endpoint-url', endpoint, 'create-user'];
      await run(program, [...admin, ...created]);
      users.set(name, user);
      return user;
    },
  };
}

/** Policies of buckets name no users here: each user has policies instead. */
async function startMinio({ minio, mc }: { readonly minio: string; readonly mc: string }): Promise<S3Server> {
  const { endpoint, root, stop, port, folder } = await launch((place) => ({
    name: 'minio',
    program: minio,
    arguments: ['server', '--quiet', '--address', `127.0.0.1:${place.port}`, join(place.folder, 'objects')],
    env: { MINIO_ROOT_USER: place.root.accessKeyId, MINIO_ROOT_PASSWORD: place.root.secretAccessKey },
  }));
  const address = `http://${root.accessKeyId}:${root.secretAccessKey}@127.0.0.1:${port}`;
  const admin = (...words: string[]) =>
    run(mc, ['--config-dir', join(folder, 'users'), 'admin', ...words], { ...process.env, MC_HOST_store: address });
  const users = new Map<string, S3User>();
  const keyOf = (name: string): string => users.get(name)?.accessKeyId ?? name;
  return {
    ...openBucketOwner({ endpoint, region, ...root, principals: [] }, keyOf),
    stop,
    createUser: async (name) => {
      const user = newUser();
      await admin('user', 'add', 'store', user.accessKeyId, user.secretAccessKey);
      users.set(name, user);
      return user;
    },
    setPolicy: async (bucket, { full, write }) => {
      const { Statement, Version } = policyOf(bucket, { full, write });
      for (const name of [...full, ...write]) {
        const own = Statement.filter(({ Principal }) => Principal.AWS.includes(name));
        const statements = own.map(({ Effect, Action, Resource }) => ({ Effect, Action, Resource }));
        const file = join(folder, `${bucket}-${name}.json`);
        await writeFile(file, JSON.stringify({ Version, Statement: statements }));
        await admin('policy', 'create', 'store', `${bucket}-${name}`, file);
        await admin('policy', 'attach', 'store', `${bucket}-${name}`, '--user', keyOf(name));
      }
    },
  };
}

async function startSeaweed(program: string): Promise<S3Server> {
  const names = ['master', 'volume', 'filer'];
  const ports = await Promise.all([...names, ...names, 's3.port.grpc'].map(() => freePort()));
  const master = `127.0.0.1:${ports[0]}.${ports[3]}`;
  const { endpoint, root, stop } = await launch(async ({ folder, port, root: user }) => {
    const credentials = [{ accessKey: user.accessKeyId, secretKey: user.secretAccessKey }];
    const identities = [{ name: 'root', credentials, actions: ['Admin'] }];
    await writeFile(join(folder, 'identities.json'), JSON.stringify({ identities }));
    const listening = names.flatMap((name, index) => [
      `-${name}.port=${ports[index]}`,
      `-${name}.port.grpc=${ports[index + 3]}`,
    ]);
    const s3 = [`-s3.port=${port}`, `-s3.port.grpc=${ports[6]}`, `-s3.config=${join(folder, 'identities.json')}`];
    const place = [
      '-ip=127.0.0.1',
      '-ip.bind=127.0.0.1',
      `-dir=${join(folder, 'objects')}`,
      '-master.volumeSizeLimitMB=64',
    ];
    const rest = ['-volume.max=200', '-s3', '-s3.port.iceberg=0', '-s3.port.lance=0'];
    return { name: 'weed', program, arguments: ['server', ...place, ...rest, ...listening, ...s3] };
  });
  const configure = (name: string, more: string) =>
    run('sh', ['-c', `echo "$0" | "$1" shell -master=${master}`, `s3.configure -user=${name} ${more} -apply`, program]);
  return {
    ...openBucketOwner({ endpoint, region, ...root, principals: [] }, (name) => name),
    stop,
    createUser: async (name) => {
      const user = newUser();
      await configure(name, `-access_key=${user.accessKeyId} -secret_key=${user.secretAccessKey}`);
      return user;
    },
    setPolicy: async (bucket, { full, write }) => {
      for (const name of full) await configure(name, `-buckets=${bucket} -actions=Read,Write,List,Tagging,Admin`);
      for (const name of write) await configure(name, `-buckets=${bucket} -actions=Write`);
    },
  };
}
