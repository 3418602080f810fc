import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { imageTag, nodeFolder, openApiClient, secondNodeTaint, startFullNode } from '@rapporteur/cluster';
import type { ApiClient, FullNode } from '@rapporteur/cluster';
import { keepOnFailure, writeEvidence } from '@rapporteur/testbed';
import { chartFolder, filesOf, openHelm, runProgram } from './helm.ts';
import { makeManifest, root } from './secrets.ts';

export const namespace = 'rapporteur';
export const botsNamespace = `${namespace}-bots`;
const apiUrl = 'http://api.rapporteur.localhost';
const requestDeadlineMs = 300_000;
const manyLogs = ['--max-log-requests=100', '--ignore-errors'];
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
  readonly audio: string | null;
  readonly transcription: string | null;
  /** Link to the integrity report. */
  readonly integrity: string | null;
  readonly joined_at: string | null;
  readonly exited_at: string | null;
}

export interface BotPod {
  readonly name: string;
  readonly uid: string;
  /** Empty while it has none. */
  readonly nodeName: string;
}

export interface Beeps {
  /** Seconds with one, and without. */
  readonly found: number;
  readonly missing: number;
  /** Spans without one, in ms. */
  readonly holes: readonly { readonly startMs: number; readonly endMs: number }[];
}

export interface Room {
  readonly code: string;
  readonly url: string;
}

/** The chart with its trial values on two nodes, of which the second is for bots; operated through the API and Helm. */
export interface TrialInstallation {
  readonly node: FullNode;
  readonly api: ApiClient;
  /** Runs Helm in the release's namespace; rejects with its errors. */
  helm(...args: readonly string[]): Promise<string>;
  install(): Promise<string>;
  /** To the same image of the services under another name: every pod of a service is replaced, the simulator is not. */
  upgrade(): Promise<string>;
  /** Creates the team whose key the requests below use, with an endpoint for all events; returns the key. */
  createTeam(): Promise<string>;
  startRoom(options: object): Promise<Room>;
  endRoom(code: string): Promise<void>;
  /** Admits or refuses the bots that wait in the lobby; polls until there is one. Rejects after five minutes. */
  decideInLobby(code: string, decision: 'admit' | 'refuse'): Promise<void>;
  /** POST /v2/bots through the Ingress, with additional fields of its body; returns the id. */
  sendBot(room: Room, fields?: object): Promise<string>;
  /** Until the bot has recorded for ten seconds. */
  waitForRecording(botId: string): Promise<void>;
  /** Polls until the bot has one of these statuses; rejects when it has ended with another, or after five minutes. */
  waitForStatus(botId: string, wanted: readonly string[]): Promise<Bot>;
  /** The events of a bot that became webhook messages, the oldest first. */
  eventsOf(botId: string): Promise<readonly string[]>;
  /** The pod of one of the bot's attempts. Rejects when there is none. */
  podOf(botId: string, attempt?: number): Promise<BotPod>;
  /** Polls until the containers of a pod have ended, or the pod is gone. Rejects after `withinMs`. */
  waitForEnd(podName: string, withinMs: number): Promise<void>;
  /** The JSON document behind a link of the API. */
  readJson<T>(url: string | null): Promise<T>;
  /** Duration in seconds and kinds of streams with frames, as ffprobe reads them from the link. Rejects for a frame that does not decode. */
  probe(url: string): Promise<{ readonly seconds: number; readonly streams: readonly string[] }>;
  /** What recording-check finds behind the link of the beep that a simulated meeting has in each second. */
  findBeeps(url: string): Promise<Beeps>;
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
    pod: {
      tolerations: [secondNodeTaint],
      seccompProfile: 'rapporteur/chromium.json',
      resources: { requests: { cpu: '300m', memory: '1Gi' }, limits: { memory: '1536Mi' } },
      sharedMemory: '1536Mi',
      temporaryFolderSize: '512Mi',
    },
  },
};

/**
 * `changed`: parameters of Helm that replace values of the release. A failed test keeps the pods, warnings and logs of
 * bots and schedulers.
 */
export async function openTrialInstallation(changed: readonly string[] = []): Promise<TrialInstallation> {
  const seccomp = join(chartFolder, 'files/chromium-seccomp.json');
  const node = await startFullNode({ 'rapporteur/chromium.json': seccomp });
  const forget = keepOnFailure((folder) => collectEvidence(node, folder));
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
  const release = [chartFolder, ...filesOf('trial'), '--values', valuesFile, ...changed, '--wait', '--timeout', '280s'];
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
    ...podsOf(node, api),
    readJson,
    probe,
    findBeeps,
    stop: async () => {
      forget();
      api.close();
      await node.stop();
    },
  };
}

function podsOf(node: FullNode, api: ApiClient): Pick<TrialInstallation, 'podOf' | 'waitForEnd'> {
  return {
    podOf: async (botId, attempt = 1) => {
      const selector = `rapporteur.dev/bot%3D${botId},rapporteur.dev/attempt%3D${attempt}`;
      const path = `/api/v1/namespaces/${botsNamespace}/pods?labelSelector=${selector}`;
      const { items } = await api.request<PodList>('GET', path);
      const [pod] = items;
      if (pod === undefined) throw new Error(`Attempt ${attempt} of ${botId} has no pod.\n${await describePods(node)}`);
      return { ...pod.metadata, nodeName: pod.spec.nodeName ?? '' };
    },
    waitForEnd: async (podName, withinMs) => {
      const path = `/api/v1/namespaces/${botsNamespace}/pods?fieldSelector=metadata.name%3D${podName}`;
      for (const deadline = Date.now() + withinMs; ; await sleep(500)) {
        const { items } = await api.request<PodList>('GET', path);
        if (items.every(({ status }) => ['Succeeded', 'Failed'].includes(status.phase))) return;
        if (Date.now() > deadline)
          throw new Error(`${podName} did not end within ${withinMs / 1_000} s.\n${await describePods(node)}`);
      }
    },
  };
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly spec: { readonly nodeName?: string };
    readonly status: { readonly phase: string };
  }[];
}

async function describePods(node: FullNode): Promise<string> {
  const events = await node.kubectl('get', 'events', '--all-namespaces', '--field-selector=type=Warning');
  return `${await node.kubectl('get', 'pods', '--all-namespaces', '-o', 'wide')}\n${events.slice(-6_000)}`;
}

async function collectEvidence(node: FullNode, folder: string): Promise<void> {
  writeEvidence(folder, 'pods.txt', await describePods(node));
  const logsOf = (place: string, selector: string): Promise<string> =>
    node.kubectl('logs', '--namespace', place, '--selector', selector, '--tail=-1', '--prefix', ...manyLogs);
  writeEvidence(folder, 'bots.log', await logsOf(botsNamespace, 'rapporteur.dev/bot'));
  writeEvidence(folder, 'bot-scheduler.log', await logsOf(namespace, 'app.kubernetes.io/name=bot-scheduler'));
}

/** Returns the key of the new team. */
async function createTeam(node: FullNode): Promise<string> {
  const read = (...args: readonly string[]) => node.kubectl('--namespace', namespace, 'get', ...args);
  const address = await read('service', 'rapporteur-api-gateway', '-o', 'jsonpath={.spec.clusterIP}');
  const token = await read('secret', 'rapporteur-secrets', '-o', 'jsonpath={.data.admin-token}');
  const tokenFile = join(nodeFolder() ?? '', 'admin-token');
  writeFileSync(tokenFile, Buffer.from(token, 'base64'));
  const entry = join(root, 'tools/operator-cli/src/main.ts');
  const place = ['--admin-url', `http://${address}:3001`, '--admin-token-file', tokenFile];
  const args = [entry, 'teams', 'create', 'Example', '--tokens', '3600000', '--json', ...place];
  const { code, output, errors } = await runProgram(process.execPath, args, process.env);
  if (code !== 0) throw new Error(`rapporteur teams create: ${errors}`);
  return (JSON.parse(output) as { api_key: string }).api_key;
}

/** No public name exists here: messages are listed, and not delivered. */
const endpoint = { url: 'https://hooks.example.com/' };

type Customer = Pick<
  TrialInstallation,
  | 'createTeam'
  | 'startRoom'
  | 'endRoom'
  | 'decideInLobby'
  | 'sendBot'
  | 'waitForStatus'
  | 'waitForRecording'
  | 'eventsOf'
>;

function customerOf(node: FullNode): Customer {
  let [key, endpointId] = ['', ''];
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
  const waitForStatus: Customer['waitForStatus'] = async (botId, wanted) => {
    const deadline = Date.now() + requestDeadlineMs;
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
      key = await createTeam(node);
      // Refused until the Ingress controller has read the Ingress.
      const create = () => call<{ data: { endpoint_id: string } }>(`${apiUrl}/v2/webhooks/endpoints`, endpoint);
      const { data } = await untilAccepted(create, 'the Ingress serves the API', node);
      endpointId = data.endpoint_id;
      return key;
    },
    startRoom: async (options) => call(`${await simulatorUrl(node)}/rooms`, options),
    endRoom: async (code) => call(`${await simulatorUrl(node)}/rooms/${code}/end`, {}),
    decideInLobby: async (code, decision) => {
      const address = `${await simulatorUrl(node)}/rooms/${code}/${decision}`;
      // Refused while no participant waits.
      await untilAccepted(() => call(address, {}), 'a bot waits in the lobby', node);
    },
    sendBot: async (room, fields = {}) => {
      const body = { bot_name: 'Rapporteur', meeting_url: room.url, ...fields };
      const { data } = await call<{ data: { bot_id: string } }>(`${apiUrl}/v2/bots`, body);
      return data.bot_id;
    },
    eventsOf: async (botId) => {
      const query = `bot_id=${botId}&limit=100`;
      const url = `${apiUrl}/v2/webhooks/endpoints/${endpointId}/messages?${query}`;
      const { data } = await call<{ data: readonly { event: string }[] }>(url);
      return data.map(({ event }) => event).toReversed();
    },
    waitForStatus,
    waitForRecording: async (botId) => {
      await waitForStatus(botId, ['in_call_recording']);
      await sleep(10_000);
    },
  };
}

async function simulatorUrl(node: FullNode): Promise<string> {
  const pods = ['pods', '--namespace', namespace, '--selector', 'app.kubernetes.io/name=simulator'];
  return `http://${await node.kubectl('get', ...pods, '--output', 'jsonpath={.items[0].status.podIP}')}:8090`;
}

async function untilAccepted<T>(request: () => Promise<T>, what: string, node: FullNode): Promise<T> {
  for (const deadline = Date.now() + requestDeadlineMs; ; await sleep(1_000)) {
    const outcome = await request().then(
      (accepted) => ({ accepted }),
      (refused: Error) => refused,
    );
    if (!(outcome instanceof Error)) return outcome.accepted;
    if (Date.now() > deadline)
      throw new Error(`Not within five minutes: ${what}: ${outcome.message}\n${await describePods(node)}`);
  }
}

async function readJson<T>(url: string | null): Promise<T> {
  if (url === null) throw new Error('The bot has no link to this document.');
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${response.status} from ${url}`);
  return (await response.json()) as T;
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

/** The steps between beeps of which at least one is missing. */
const beepStepMs = 1_500;

async function findBeeps(url: string): Promise<Beeps> {
  const entry = join(root, 'tools/recording-check/src/main.ts');
  const args = [entry, url, '--audio-only', '--json'];
  const { code, output, errors } = await runProgram(process.execPath, args, process.env);
  // 1: it is not as a whole recording of a meeting would be, which is the question.
  if (code !== 0 && code !== 1) throw new Error(`recording-check of ${url}: ${errors}`);
  const { report } = JSON.parse(output) as {
    report: { beeps: { found: number; missing: number } | null; beepsMs: number[]; audioMs: number };
  };
  if (report.beeps === null) throw new Error(`${url} has no audio.`);
  const times = [0, ...report.beepsMs, report.audioMs];
  const steps = times.slice(1).map((endMs, index) => ({ startMs: times[index] ?? 0, endMs }));
  const { found, missing } = report.beeps;
  return { found, missing, holes: steps.filter(({ startMs, endMs }) => endMs - startMs >= beepStepMs) };
}
