import { describe, expect, test } from '@jest/globals';
import { examine, examineRemote } from './checks.ts';
import type { Patient, RemotePatient } from './checks.ts';
import type { Machine, Reply } from './machine.ts';

const gigabyte = 2 ** 30;
const startMs = Date.parse('2026-11-23T09:00:00Z');
const ready: Reply = { status: 200, body: { ready: true, checks: {} }, serverTimeMs: startMs };

const healthy: Machine = {
  nodeVersion: '24.21.0',
  isRoot: false,
  memoryBytes: 8 * gigabyte,
  openFiles: 65_536,
  now: () => startMs,
  kernelFile: () => '15000\n',
  freeBytes: () => 50 * gigabyte,
  canWrite: () => true,
  runProgram: () => 0,
  portIsFree: async () => true,
  request: async () => ready,
};

const ports = { admin: 8082, scheduler: 8083, delivery: 8084, filesAdmin: 8085, console: 8086, whisper: 8087 };
const patient = (machine: Partial<Machine>, rest: Partial<Patient> = {}): Patient => ({
  machine: { ...healthy, ...machine },
  dataFolder: '/srv/data',
  stack: { dataFolder: '/srv/data', isRunning: true, ports },
  admin: { url: 'http://127.0.0.1:8082', token: 'token' },
  chromium: '/usr/bin/chromium',
  ...rest,
});

const without = (program: string): Partial<Machine> => ({
  runProgram: (name) => (name.includes(program) ? null : 0),
});
const responding = (port: number, reply: Reply | null): Partial<Machine> => ({
  request: async (url) => (url.includes(`:${port}/`) ? reply : ready),
});
const notReady = (part: string): Reply => ({
  status: 503,
  body: { ready: false, checks: { [part]: 'not reachable' } },
  serverTimeMs: startMs,
});
const stopped: Partial<Patient> = { stack: { dataFolder: '/srv/data', isRunning: false, ports } };

describe('the doctor', () => {
  test('finds nothing wrong with a machine on which all is well', async () => {
    const findings = await examine(patient({}));
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
  });

  test.each<[string, Patient, string, string]>([
    ['an old Node', patient({ nodeVersion: '20.1.0' }), 'node', 'npm ci'],
    ['too little memory', patient({ memoryBytes: gigabyte }), 'memory', '2 GB or more'],
    [
      'a full disk',
      patient({ freeBytes: (folder) => (folder === '/srv/data' ? 1 : gigabyte) }),
      'disk',
      '--data-folder',
    ],
    ['a data folder of another user', patient({ canWrite: () => false }), 'data folder', 'chown'],
    ['few open files', patient({ openFiles: 1_024 }), 'open files', 'ulimit -n 4096'],
    [
      'little shared memory',
      patient({ freeBytes: (folder) => (folder === '/dev/shm' ? 64 * 2 ** 20 : 50 * gigabyte) }),
      'shared memory',
      '--shm-size=1g',
    ],
    ['no /proc', patient({ kernelFile: () => null }), 'processes', 'mount -t proc'],
    ['no browser', patient(without('chromium')), 'chromium', 'apt-get install'],
    ['no user namespaces', patient({ kernelFile: () => '0\n' }), 'sandbox', 'sysctl'],
    ['no ffmpeg', patient(without('ffmpeg')), 'ffmpeg', 'apt-get install -y --no-install-recommends ffmpeg'],
    ['no NATS', patient(without('nats-server')), 'nats-server', 'nats-server'],
    ['a taken port', patient({ portIsFree: async (port) => port !== 8080 }, stopped), 'ports', '--api-port'],
    ['no stack', patient({}, stopped), 'stack', 'npm start'],
    ['no token', patient({}, { admin: null }), 'admin API', 'npm start'],
    [
      'another token',
      patient({ request: async (url) => (url.includes('/admin/') ? { ...ready, status: 403 } : ready) }),
      'admin API',
      'npm start',
    ],
    ['a clock that is wrong', patient({ now: () => startMs + 60_000 }), 'clock', 'set-ntp'],
    ['a database that is away', patient(responding(8083, notReady('database'))), 'services', 'PostgreSQL'],
    ['a bus that is away', patient(responding(8084, notReady('message bus'))), 'services', 'NATS'],
    ['an object store that is away', patient(responding(8085, notReady('object store'))), 'services', 'S3'],
    ['a service that has ended', patient(responding(8084, null)), 'services', 'logs/delivery.log'],
    ['a console that has ended', patient(responding(8086, null)), 'services', 'logs/console.log'],
    ['an engine that is being installed', patient(responding(8087, null)), 'local engine', 'logs/whisper.log'],
    [
      'an engine without its model',
      patient(responding(8087, { ...ready, status: 503, body: {} })),
      'local engine',
      'logs/whisper.log',
    ],
  ])('finds %s and names the remedy', async (_what, broken, check, action) => {
    const failed = (await examine(broken)).filter(({ state }) => state === 'failed');
    const others = failed.filter((finding) => finding.check !== check).map((finding) => finding.check);
    expect(others.filter((other) => other !== 'stack')).toEqual([]);
    expect(failed.find((finding) => finding.check === check)?.action).toContain(action);
  });
});

describe('the doctor of a deployment elsewhere', () => {
  const remote = (machine: Partial<RemotePatient['machine']> = {}, checkKey = async () => ({})): RemotePatient => ({
    machine: {
      ...healthy,
      request: async () => ({ ...ready, body: { info: { version: '2.0.0' } } }),
      ...machine,
    },
    deployment: { baseUrl: 'https://bots.example.com', checkKey },
  });
  const refuse = () => Promise.reject(new Error('The API key has expired. Use another one.'));

  test.each<[string, RemotePatient, string, string]>([
    ['an old Node', remote({ nodeVersion: '18.1.0' }), 'node', 'Node 20 or newer'],
    ['no deployment', { ...remote(), deployment: null }, 'address', 'RAPPORTEUR_API_URL'],
    ['a refused key', remote({}, refuse), 'key', 'profiles set'],
    [
      'another generation',
      remote({ request: async () => ({ ...ready, body: { info: { version: '3.1.0' } } }) }),
      'versions',
      'install',
    ],
    [
      'a clock that is wrong',
      remote({
        now: () => startMs + 60_000,
        request: async () => ({ ...ready, body: { info: { version: '2.1.0' } } }),
      }),
      'clock',
      'set-ntp',
    ],
  ])('finds %s and names the remedy', async (_what, patient, check, action) => {
    const failed = (await examineRemote(patient)).filter(({ state }) => state === 'failed');
    expect(failed).toMatchObject([{ check, action: expect.stringContaining(action) }]);
  });

  test('finds nothing where nothing is wrong, and needs nothing of this machine', async () => {
    const states = (await examineRemote(remote())).map(({ check, state }) => [check, state]);
    expect(states).toEqual(['node', 'address', 'versions', 'key', 'clock'].map((check) => [check, 'ok']));
    const silent = await examineRemote(remote({ request: async () => null }));
    expect(silent.find(({ check }) => check === 'address')).toMatchObject({ state: 'failed' });
  });
});
