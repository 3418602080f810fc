import type { LocalStack } from '../local-stack.ts';
import type { Machine } from './machine.ts';

/** The subject of the checks: this machine, and the stack on it. */
export interface Patient {
  readonly machine: Machine;
  /** The data folder of the stack, also when it has never run. */
  readonly dataFolder: string;
  /** Null: none has run here. */
  readonly stack: LocalStack | null;
  /** Null: there is none to read. */
  readonly admin: { readonly url: string; readonly token: string } | null;
  readonly chromium: string;
}

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'failed' | 'skipped';
  /** The finding. */
  readonly found: string;
  /** The fix; empty without a problem. */
  readonly action: string;
}

/** Null when all is well, a text to skip, or the problem with its fix. */
type Verdict =
  | { readonly ok: string }
  | { readonly skipped: string }
  | { readonly wrong: string; readonly action: string };
export type Check = (patient: Patient) => Verdict | Promise<Verdict>;

const leastNode = 24;
const gigabyte = 2 ** 30;
const leastMemory = 2 * gigabyte;
const leastDisk = 5 * gigabyte;
const leastSharedMemory = 256 * 2 ** 20;
const leastOpenFiles = 4_096;
const mostSkewMs = 5_000;
const apt = (name: string): string => `Install it: sudo apt-get install -y --no-install-recommends ${name}`;
const inGigabytes = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`;

const program =
  (name: string, parameters: readonly string[], packageName: string): Check =>
  ({ machine }) =>
    machine.runProgram(name, parameters) === 0
      ? { ok: `${name} runs` }
      : { wrong: `${name} is not there, or does not run.`, action: apt(packageName) };

const services: Readonly<Record<string, string>> = {
  admin: 'api-gateway',
  scheduler: 'bot-scheduler',
  delivery: 'delivery',
  filesAdmin: 'storage-config',
  ssoIdp: 'sso-idp',
  calendarSync: 'calendar-sync',
  transcriber: 'transcriber',
  console: 'console',
};

const remedyOfPart: Readonly<Record<string, string>> = {
  database:
    'PostgreSQL does not respond: look into logs/postgres.log of the data folder, check the disk, and start again with npm start.',
  'message bus': 'NATS does not respond: look into logs/ of the data folder, and start again with npm start.',
  'object store':
    'The object store does not respond: check the folder objects of the data folder, or the address and keys of S3.',
};

/** Every check, in the order of the report. */
export const checks: Readonly<Record<string, Check>> = {
  node: ({ machine: { nodeVersion } }) =>
    Number(nodeVersion.split('.')[0]) >= leastNode
      ? { ok: `Node ${nodeVersion}` }
      : {
          wrong: `Node ${nodeVersion} runs this; services need ${leastNode}.`,
          action: 'Run npm ci: it brings Node 24. Then use npm run rapporteur, not node itself.',
        },
  memory: ({ machine: { memoryBytes } }) =>
    memoryBytes >= leastMemory
      ? { ok: inGigabytes(memoryBytes) }
      : {
          wrong: `The machine has ${inGigabytes(memoryBytes)} of memory.`,
          action: 'One bot with video needs about 1 GB beside the services: use a machine with 2 GB or more.',
        },
  disk: ({ machine, dataFolder }) => {
    const free = machine.freeBytes(dataFolder) ?? machine.freeBytes('.') ?? 0;
    if (free >= leastDisk) return { ok: `${inGigabytes(free)} free` };
    return {
      wrong: `Only ${inGigabytes(free)} are free at ${dataFolder}.`,
      action: 'Delete recordings through the API, or start with --data-folder on a larger disk.',
    };
  },
  'data folder': ({ machine, dataFolder }) => {
    if (machine.freeBytes(dataFolder) === null) return { skipped: 'it is made by the first npm start' };
    if (machine.canWrite(dataFolder)) return { ok: dataFolder };
    return {
      wrong: `This user may not write to ${dataFolder}.`,
      action: `Give it to the user that runs npm start: sudo chown -R $(id -u):$(id -g) ${dataFolder}`,
    };
  },
  'open files': ({ machine: { openFiles } }) => {
    if (openFiles === null || openFiles >= leastOpenFiles) return { ok: String(openFiles ?? 'not limited') };
    return {
      wrong: `A process may open ${openFiles} files.`,
      action: `Raise the limit before the start: ulimit -n ${leastOpenFiles} (or LimitNOFILE= of the systemd unit).`,
    };
  },
  'shared memory': ({ machine }) => {
    const free = machine.freeBytes('/dev/shm');
    if (free === null)
      return { wrong: '/dev/shm is missing.', action: 'Mount it: sudo mount -t tmpfs -o size=1g tmpfs /dev/shm' };
    if (free >= leastSharedMemory) return { ok: inGigabytes(free) };
    return {
      wrong: `/dev/shm has ${inGigabytes(free)} free: Chromium's pages crash.`,
      action: 'Make it larger: sudo mount -o remount,size=1g /dev/shm (Docker: --shm-size=1g).',
    };
  },
  processes: ({ machine }) =>
    machine.kernelFile('/proc/self/stat') === null
      ? {
          wrong: '/proc cannot be read: the stack cannot identify its processes.',
          action: 'Mount it: sudo mount -t proc proc /proc',
        }
      : { ok: '/proc is there' },
  chromium: ({ machine, chromium }) =>
    machine.runProgram(chromium, ['--version']) === 0
      ? { ok: chromium }
      : { wrong: `${chromium} does not run.`, action: apt('chromium') },
  sandbox: ({ machine }) => {
    if (machine.isRoot) return { ok: 'not used: root runs this' };
    const most = machine.kernelFile('/proc/sys/user/max_user_namespaces')?.trim();
    const allowed = machine.kernelFile('/proc/sys/kernel/unprivileged_userns_clone')?.trim();
    if (most !== '0' && allowed !== '0') return { ok: 'user namespaces are allowed' };
    return {
      wrong: 'The kernel forbids user namespaces: Chromium cannot make its sandbox.',
      action: 'Allow them: sudo sysctl -w user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1',
    };
  },
  ffmpeg: program('ffmpeg', ['-version'], 'ffmpeg'),
  'nats-server': program('nats-server', ['--version'], 'nats-server'),
  ports: async ({ machine, stack }) => {
    if (stack?.isRunning === true) return { skipped: 'the stack uses them' };
    const wanted = [8080, 8081, 8090];
    const free = await Promise.all(wanted.map((port) => machine.portIsFree(port)));
    const taken = wanted.filter((_port, index) => free[index] === false);
    if (taken.length === 0) return { ok: wanted.join(', ') };
    return {
      wrong: `Another program listens on ${taken.join(', ')}: npm start takes other ports.`,
      action: `Find it with: ss -ltnp | grep ':${taken[0] ?? 8080} '. End it, or choose with --api-port, --files-port, --simulator-port.`,
    };
  },
  stack: ({ stack }) =>
    stack?.isRunning === true
      ? { ok: stack.dataFolder }
      : { wrong: 'No stack of this project runs on this machine.', action: 'Start it: npm start' },
  'admin API': async ({ machine, admin, stack }) => {
    if (stack?.isRunning !== true) return { skipped: 'no stack runs' };
    if (admin === null)
      return {
        wrong: 'admin.json of the data folder cannot be read.',
        action: 'Start again with npm start: it writes the file anew.',
      };
    const reply = await machine.request(`${admin.url}/admin/v1/teams`, { authorization: `Bearer ${admin.token}` });
    if (reply === null)
      return {
        wrong: `Nothing responds at ${admin.url}.`,
        action: 'Look into logs/api-gateway.log of the data folder, and start again with npm start.',
      };
    if (reply.status === 200) return { ok: admin.url };
    if (reply.status === 403)
      return {
        wrong: 'The admin API refuses the token of admin.json.',
        action: 'Start again with npm start: file and service then have the same token.',
      };
    return {
      wrong: `The admin API responds with ${reply.status}.`,
      action: 'Look into logs/api-gateway.log of the data folder.',
    };
  },
  clock: async ({ machine, admin, stack }) => {
    if (stack?.isRunning !== true || admin === null) return { skipped: 'no stack runs' };
    const serverTimeMs = (await machine.request(`${admin.url}/health/live`))?.serverTimeMs ?? null;
    if (serverTimeMs === null) return { skipped: 'the API gives no time' };
    return judgeClock(machine.now() - serverTimeMs);
  },
  services: async ({ machine, stack }) => {
    if (stack?.isRunning !== true) return { skipped: 'no stack runs' };
    for (const [port, service] of Object.entries(services)) {
      const number = stack.ports[port];
      if (number === undefined) continue;
      const reply = await machine.request(`http://127.0.0.1:${number}/health/ready`);
      if (reply === null)
        return {
          wrong: `${service} does not respond.`,
          action: `Look into logs/${service}.log of the data folder: its last lines say why it ended.`,
        };
      if (reply.status === 200) continue;
      const broken = brokenPartOf(reply.body);
      const action = remedyOfPart[broken] ?? `Look into logs/${service}.log of the data folder.`;
      return {
        wrong: `${service} is not ready: ${broken === '' ? `HTTP ${reply.status}` : `${broken} is not reachable`}.`,
        action,
      };
    }
    return { ok: 'every service is ready' };
  },
  'local engine': async ({ machine, stack }) => {
    if (stack?.isRunning !== true) return { skipped: 'no stack runs' };
    const port = stack.ports['whisper'];
    if (port === undefined)
      return {
        skipped: 'not installed: transcripts without a provider need Python 3.11 and venv (python3-venv) at the start',
      };
    const reply = await machine.request(`http://127.0.0.1:${port}/health/ready`);
    if (reply?.status === 200) return { ok: 'transcripts without a provider' };
    return {
      wrong:
        reply === null
          ? 'The local transcription engine does not respond: it is still being installed, or its installation failed.'
          : `The local transcription engine is not ready: ${(reply.body as { reason?: string } | null)?.reason ?? `HTTP ${reply.status}.`}`,
      action:
        'Look into logs/whisper.log of the data folder: it states the progress of the installation and of the model.',
    };
  },
};

function brokenPartOf(body: unknown): string {
  const { checks: parts = {} } = (body ?? {}) as { checks?: Record<string, string> };
  return Object.entries(parts).find(([, state]) => state !== 'ok')?.[0] ?? '';
}

const leastNodeOfProgram = 20;
/** The generation of the API that this program uses. */
const apiGeneration = '2.';

/** A deployment elsewhere, as the installed program uses it. */
export interface RemotePatient {
  readonly machine: Pick<Machine, 'nodeVersion' | 'now' | 'request'>;
  /** Null: none is named. */
  readonly deployment: { readonly baseUrl: string; readonly checkKey: () => Promise<unknown> } | null;
}

const notNamed = { skipped: 'no deployment is named' };

const remoteChecks: Readonly<Record<string, (patient: RemotePatient) => Verdict | Promise<Verdict>>> = {
  node: ({ machine: { nodeVersion } }) =>
    Number(nodeVersion.split('.')[0]) >= leastNodeOfProgram
      ? { ok: `Node ${nodeVersion}` }
      : {
          wrong: `Node ${nodeVersion} runs this; it needs ${leastNodeOfProgram}.`,
          action: `Install Node ${leastNodeOfProgram} or newer.`,
        },
  address: async ({ machine, deployment }) => {
    if (deployment === null)
      return {
        wrong: 'No deployment is named.',
        action: 'Give RAPPORTEUR_API_URL and RAPPORTEUR_API_KEY, or remember both with: rapporteur profiles set NAME.',
      };
    const reply = await machine.request(`${deployment.baseUrl}/health/live`);
    if (reply?.status === 200) return { ok: deployment.baseUrl };
    return {
      wrong: reply === null ? `Nothing responds at ${deployment.baseUrl}.` : `It responds with ${reply.status}.`,
      action: 'Check the address, without a path such as /v2, the network and proxies in between.',
    };
  },
  versions: async ({ machine, deployment }) => {
    if (deployment === null) return notNamed;
    const body = (await machine.request(`${deployment.baseUrl}/openapi.json`))?.body ?? null;
    const version = (body as { readonly info?: { readonly version?: unknown } } | null)?.info?.version;
    if (typeof version === 'string' && version.startsWith(apiGeneration)) return { ok: `API ${version}` };
    return {
      wrong: `The API has the version ${typeof version === 'string' ? version : 'unknown'}; this program uses ${apiGeneration}x.`,
      action: 'Check the address, or install the version of this program that belongs to the deployment.',
    };
  },
  key: async ({ deployment }) => {
    if (deployment === null) return notNamed;
    try {
      await deployment.checkKey();
      return { ok: 'the key is accepted' };
    } catch (error) {
      return {
        wrong: (error as Error).message,
        action: 'Use another key: rapporteur profiles set NAME --key-file FILE.',
      };
    }
  },
  clock: async ({ machine, deployment }) => {
    if (deployment === null) return notNamed;
    const serverTimeMs = (await machine.request(`${deployment.baseUrl}/health/live`))?.serverTimeMs ?? null;
    return serverTimeMs === null ? { skipped: 'the API gives no time' } : judgeClock(machine.now() - serverTimeMs);
  },
};

function judgeClock(differenceMs: number): Verdict {
  const skewMs = Math.abs(differenceMs);
  if (skewMs <= mostSkewMs) return { ok: `${Math.round(skewMs / 1_000)} s apart` };
  return {
    wrong: `The clocks of this machine and of the API are ${Math.round(skewMs / 1_000)} s apart: signatures and leases fail.`,
    action: 'Synchronize both clocks: sudo timedatectl set-ntp true',
  };
}

/** Runs every check of this machine and the stack on it. */
export function examine(patient: Patient): Promise<Finding[]> {
  return examineWith(checks, patient);
}

/** Runs every check of a deployment elsewhere. */
export function examineRemote(patient: RemotePatient): Promise<Finding[]> {
  return examineWith(remoteChecks, patient);
}

async function examineWith<P>(
  all: Readonly<Record<string, (patient: P) => Verdict | Promise<Verdict>>>,
  patient: P,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(all)) {
    const verdict = await run(patient);
    if ('ok' in verdict) findings.push({ check, state: 'ok', found: verdict.ok, action: '' });
    else if ('skipped' in verdict) findings.push({ check, state: 'skipped', found: verdict.skipped, action: '' });
    else findings.push({ check, state: 'failed', found: verdict.wrong, action: verdict.action });
  }
  return findings;
}
