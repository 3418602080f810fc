import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { imageTag, nodeFolder, openApiClient, startFullNode } from '@rapporteur/cluster';
import type { ApiClient, FullNode } from '@rapporteur/cluster';
import { chartFolder, filesOf, openHelm, runProgram } from './helm.ts';
import { makeManifest, root } from './secrets.ts';

export const namespace = 'rapporteur';
export const botsNamespace = `${namespace}-bots`;
const apiUrl = 'http://api.rapporteur.localhost';
const nextServices = 'rapporteur-services-next';
const services = [
  'api-gateway',
  'bot-scheduler',
  'storage-config',
  'delivery',
  'sso-idp',
  'calendar-sync',
  'transcriber',
  'console',
];

export interface Bot {
  readonly bot_id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly video: string | null;
  readonly transcription: string | null;
}

export interface BotPod {
  readonly name: string;
  readonly uid: string;
}

export interface Room {
  readonly code: string;
  readonly url: string;
}

/** The chart with its trial values on a full node, operated through the API and Helm. */
export interface TrialInstallation {
  readonly node: FullNode;
  readonly api: ApiClient;
  /** Runs Helm in the release's namespace; rejects with its errors. */
  helm(...args: readonly string[]): Promise<string>;
  install(): Promise<string>;
  /** To the same image of the services under another name: every pod of a service is replaced, the simulator is not. */
  upgrade(): Promise<string>;
  /** Creates the team whose key the requests below use. */
  createTeam(): Promise<void>;
  startRoom(options: object): Promise<Room>;
  endRoom(code: string): Promise<void>;
  /** POST /v2/bots through the Ingress, with additional fields of its body; returns the id. */
  sendBot(room: Room, fields?: object): Promise<string>;
  /** Until the bot has recorded for ten seconds. */
  waitForRecording(botId: string): Promise<void>;
  /** Polls until the bot has one of these statuses; rejects when it has ended with another, or after five minutes. */
  waitForStatus(botId: string, wanted: readonly string[]): Promise<Bot>;
  /** The pod of the bot's first attempt. */
  podOf(botId: string): Promise<BotPod>;
  /** Duration in seconds and kinds of streams with frames, as ffprobe reads them from the link. Rejects for a frame that does not decode. */
  probe(url: string): Promise<{ readonly seconds: number; readonly streams: readonly string[] }>;
  stop(): Promise<void>;
}

/**
 * Small requests, since a node has few cores; a bot that is to be evicted or out of memory fills its small volume or
 * memory.
 */
const values = {
  image: { tag: imageTag, pullPolicy: 'Never' },
  publicUrl: { api: apiUrl, files: 'http://files.rapporteur.localhost' },
  services: Object.fromEntries(
    services.map((name) => [name, { resources: { requests: { cpu: '20m', memory: '64Mi' } } }]),
  ),
  bundled: {
    postgresql: { image: `postgresql:${imageTag}` },
    nats: { image: `nats:${imageTag}` },
  },
  bots: {
    chromiumSandbox: true,
    // There is no other node for a move.
    disruption: 'end',
    pod: {
      seccompProfile: 'rapporteur/chromium.json',
      resources: { requests: { cpu: '300m', memory: '1Gi' }, limits: { memory: '1536Mi' } },
      sharedMemory: '1536Mi',
      temporaryFolderSize: '512Mi',
    },
  },
};

export async function openTrialInstallation(): Promise<TrialInstallation> {
  const seccomp = join(chartFolder, 'files/chromium-seccomp.json');
  const node = await startFullNode({ 'rapporteur/chromium.json': seccomp });
  const api = openApiClient(node.kubeconfigFile);
  const program = await openHelm(node.kubeconfigFile);
  const valuesFile = join(nodeFolder() ?? '', 'values.json');
  // JSON is YAML.
  writeFileSync(valuesFile, JSON.stringify(values));
  const helm = async (...args: readonly string[]): Promise<string> => {
    const { code, output, errors } = await program.run([...args, '--namespace', namespace]);
    if (code !== 0) throw new Error(`helm ${args.join(' ')}\n${errors}\n${await describePods(node)}`);
    return output;
  };
  const release = [chartFolder, ...filesOf('trial'), '--values', valuesFile, '--wait', '--timeout', '280s'];
  return {
    node,
    api,
    helm,
    install: async () => {
      const { metadata, stringData } = await makeManifest();
      const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
      await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace, labels } });
      await api.request('POST', `/api/v1/namespaces/${namespace}/secrets`, {
        metadata: { name: metadata.name },
        stringData,
      });
      return helm('install', 'rapporteur', ...release);
    },
    upgrade: async () => {
      await node.nameImage('rapporteur-services', nextServices);
      return helm('upgrade', 'rapporteur', ...release, '--set', `image.services.repository=${nextServices}`);
    },
    ...customerOf(node),
    podOf: async (botId) => {
      const path = `/api/v1/namespaces/${botsNamespace}/pods?labelSelector=rapporteur.dev/bot%3D${botId}`;
      const { items } = await api.request<{ items: readonly { metadata: BotPod }[] }>('GET', path);
      const [pod] = items;
      if (pod === undefined) throw new Error(`${botId} has no pod.`);
      return pod.metadata;
    },
    probe,
    stop: async () => {
      api.close();
      await node.stop();
    },
  };
}

async function describePods(node: FullNode): Promise<string> {
  const events = await node.kubectl('get', 'events', '--all-namespaces', '--field-selector=type=Warning');
  return `${await node.kubectl('get', 'pods', '--all-namespaces', '-o', 'wide')}\n${events.slice(-6_000)}`;
}

type Customer = Pick<
  TrialInstallation,
  'createTeam' | 'startRoom' | 'endRoom' | 'sendBot' | 'waitForStatus' | 'waitForRecording'
>;

function customerOf(node: FullNode): Customer {
  let key = '';
  const call = async <T>(url: string, body?: object): Promise<T> => {
    const response = await fetch(url, {
      headers: { 'x-service-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} from ${url}: ${text.slice(0, 500)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const simulatorUrl = async (): Promise<string> => {
    const selector = [
      '--selector',
      'app.kubernetes.io/name=simulator',
      '--output',
      'jsonpath={.items[0].status.podIP}',
    ];
    return `http://${await node.kubectl('get', 'pods', '--namespace', namespace, ...selector)}:8090`;
  };
  const waitForStatus: Customer['waitForStatus'] = async (botId, wanted) => {
    const deadline = Date.now() + 300_000;
    for (;;) {
      // While a node restarts the Ingress has no endpoints.
      const bot = await call<{ data: Bot }>(`${apiUrl}/v2/bots/${botId}`).then(
        ({ data }) => data,
        (error: Error) => ({ status: 'unknown', error_code: error.message }) as Bot,
      );
      if (wanted.includes(bot.status)) return bot;
      if (['completed', 'failed'].includes(bot.status) || Date.now() > deadline)
        throw new Error(
          `The bot is ${bot.status} (${bot.error_code}), not ${wanted.join(' or ')}.\n${await describePods(node)}`,
        );
      await sleep(1_000);
    }
  };
  return {
    createTeam: async () => {
      const read = (...args: readonly string[]) => node.kubectl('--namespace', namespace, 'get', ...args);
      const address = await read('service', 'rapporteur-api-gateway', '-o', 'jsonpath={.spec.clusterIP}');
      const token = await read('secret', 'rapporteur-secrets', '-o', 'jsonpath={.data.admin-token}');
      const tokenFile = join(nodeFolder() ?? '', 'admin-token');
      writeFileSync(tokenFile, Buffer.from(token, 'base64'));
      const entry = join(root, 'tools/operator-cli/src/main.ts');
      const place = ['--admin-url', `http://${address}:3001`, '--admin-token-file', tokenFile];
      const args = [entry, 'teams', 'create', 'Example', '--tokens', '3600000', '--json', ...place];
      const { code, output, errors } = await runProgram(process.execPath, args, process.env);
      if (code !== 0) throw new Error(errors);
      key = (JSON.parse(output) as { api_key: string }).api_key;
    },
    startRoom: async (options) => call(`${await simulatorUrl()}/rooms`, options),
    endRoom: async (code) => call(`${await simulatorUrl()}/rooms/${code}/end`, {}),
    sendBot: async (room, fields = {}) => {
      const body = { bot_name: 'Rapporteur', meeting_url: room.url, ...fields };
      const { data } = await call<{ data: { bot_id: string } }>(`${apiUrl}/v2/bots`, body);
      return data.bot_id;
    },
    waitForStatus,
    waitForRecording: async (botId) => {
      await waitForStatus(botId, ['in_call_recording']);
      await sleep(10_000);
    },
  };
}

async function probe(url: string): Promise<{ seconds: number; streams: string[] }> {
  const entries = 'format=duration:stream=codec_type,nb_read_frames';
  const args = ['-v', 'error', '-count_frames', '-show_entries', entries, '-of', 'json', url];
  const { code, output, errors } = await runProgram('ffprobe', args, process.env);
  if (code !== 0 || errors !== '') throw new Error(`ffprobe of ${url}: ${errors}`);
  const { format, streams } = JSON.parse(output) as {
    format: { duration: string };
    streams: { codec_type: string; nb_read_frames: string }[];
  };
  const decoded = streams.filter(({ nb_read_frames: frames }) => Number(frames) > 0);
  return { seconds: Number(format.duration), streams: decoded.map(({ codec_type: kind }) => kind).toSorted() };
}
