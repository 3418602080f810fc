import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { generateKeyPairSync, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { pageStructure } from '@rapporteur/contracts';
import type { CanaryList, MeetingPlatformName, PagePackView } from '@rapporteur/contracts';
import { freePort } from '@rapporteur/local-stack';
import { startReceiver } from '@rapporteur/testbed/receiver';
import { waitFor } from '@rapporteur/testbed';
import { adminOf } from './admin-client.ts';
import { ApiClient } from './api-client.ts';
import { SimulatorClient } from './simulator-client.ts';
import { startStackProcess } from './stack-process.ts';

const examples = join(import.meta.dirname, '../../simulator/page-changes');

/** Bots whose outcomes decide whether a page pack is taken back. */
const trialBots = 4;
/** A page without a known state is given up after 45 s; the rest is for a busy machine. */
export const failureMs = 240_000;
export const fromJoining = ['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording'];

type CanaryRun = CanaryList['canaries'][number]['runs'][number];

export interface PageChangeStack {
  readonly api: ApiClient;
  readonly simulator: SimulatorClient;
  readonly simulatorUrl: string;
  readonly builtIn: (platform: MeetingPlatformName) => Promise<string>;
  send(meetingUrl: string): Promise<string>;
  /** Waits until the platform has this in the operators' view. */
  isInUse(platform: MeetingPlatformName, expected: object): Promise<void>;
  /** Sends the canary at once; the result resolves with its first run from now on. */
  sendCanary(name: string): Promise<() => Promise<CanaryRun>>;
  /** Newest first. */
  canaryRuns(name: string): Promise<readonly CanaryRun[]>;
  /** The structure of the page in the evidence of this bot. */
  storedPageOf(botId: string): Promise<ReturnType<typeof pageStructure.parse>>;
  stop(): Promise<void>;
}

/** One of the overlays that repair the simulator's changes. */
export function overlayOf(change: string, platform: MeetingPlatformName): object & { readonly base: string } {
  return JSON.parse(readFileSync(join(examples, `${change}.${platform}.json`), 'utf8')) as object & { base: string };
}

/**
 * An overlay with which bots take the page before joining for one that keeps them out: of a meeting that does not exist,
 * or of a site that refuses them.
 */
export function badOverlayOf(platform: 'teams' | 'zoom'): object {
  const { base } = overlayOf('other-labels', platform);
  const rule = platform === 'teams' ? 'wrong-address-text' : 'bot-wall';
  const patterns = [
    'type your name',
    'your name',
    'microsoft teams meeting',
    'join (meeting|from)',
    'enter meeting info',
  ];
  return { format: 1, platform, version: 'bad', base, texts: { [rule]: { first: patterns } } };
}

/** A meeting of RAPPORTEUR_CANARIES, with the path of its link. */
interface StandingMeeting {
  readonly platform: MeetingPlatformName;
  readonly link: string;
  readonly [setting: string]: unknown;
}

interface StackSettings {
  readonly dataFolder: string;
  readonly packs: Pick<PagePackServer, 'url' | 'publicKey'>;
  readonly canaries: readonly StandingMeeting[];
}

/** A stack of its own, whose bots use the page packs of an operator's address: a bad one would reach those of other files. */
export async function startPageChangeStack({ dataFolder, packs, canaries }: StackSettings): Promise<PageChangeStack> {
  const port = await freePort();
  const meetings = canaries.map(({ platform, link, ...canary }) => ({
    ...canary,
    link: `https://${platform}.simulator.localhost:${port}/${link}`,
  }));
  const stack = await startStackProcess(dataFolder, [`--simulator-https-port=${port}`, '--max-bots=6'], {
    RAPPORTEUR_PAGE_PACKS: packs.url,
    RAPPORTEUR_PAGE_PACK_KEYS: packs.publicKey,
    RAPPORTEUR_PAGE_PACK_POLL_MS: '1000',
    RAPPORTEUR_PAGE_PACK_TRIAL_BOTS: String(trialBots),
    RAPPORTEUR_CANARY_STAY_MS: '5000',
    RAPPORTEUR_CANARIES: JSON.stringify(meetings),
  });
  const { apiUrl, apiKey, simulatorUrl } = stack;
  const api = new ApiClient(apiUrl, apiKey ?? '');
  const admin = adminOf(dataFolder);
  const stateOf = async (platform: MeetingPlatformName) => {
    const { platforms, refused } = await admin<PagePackView>('GET', '/page-packs');
    return { ...platforms.find((one) => one.platform === platform), refused: refused?.reason ?? null };
  };
  const canaryRuns = async (name: string): Promise<readonly CanaryRun[]> =>
    (await admin<CanaryList['canaries']>('GET', '/canaries')).find((one) => one.name === name)?.runs ?? [];
  return {
    api,
    simulator: new SimulatorClient(simulatorUrl),
    simulatorUrl,
    builtIn: async (platform) => (await stateOf(platform)).version ?? '',
    send: (meeting_url) => api.createBot({ bot_name: 'Rapporteur', meeting_url }),
    isInUse: async (platform, expected) => {
      const hasAll = async () => {
        const state: Readonly<Record<string, unknown>> = await stateOf(platform);
        return Object.entries(expected).every(([name, value]) => state[name] === value);
      };
      await waitFor(hasAll, { what: `${platform} to have ${JSON.stringify(expected)}` });
    },
    canaryRuns,
    sendCanary: async (name) => {
      const sentAt = new Date().toISOString();
      await admin('POST', `/canaries/${name}/run`);
      const ended = async () => (await canaryRuns(name)).find(({ started_at }) => started_at >= sentAt) ?? null;
      return () => waitFor(ended, { what: `the canary ${name} to end`, timeoutMs: failureMs });
    },
    storedPageOf: (botId) => waitFor(() => storedPage(dataFolder, botId), { what: 'the page in the evidence' }),
    stop: async () => void (await stack.interrupt()),
  };
}

async function storedPage(dataFolder: string, botId: string) {
  for await (const file of glob(`objects/**/*${botId}*/**/evidence/*/page.json`, { cwd: dataFolder }))
    return pageStructure.parse(JSON.parse(readFileSync(join(dataFolder, file), 'utf8')));
  return null;
}

/** A file server of an operator with one document of page packs and its signature. */
export interface PagePackServer {
  readonly url: string;
  /** Base64 of the public key that its signatures fit. */
  readonly publicKey: string;
  /** Lays these overlays, signed. */
  lay(overlays: readonly object[]): void;
  /** Lays a document that another key has signed. */
  forge(overlays: readonly object[]): void;
  /** Lays these files as they are. */
  upload(document: Buffer, signature: Buffer): void;
  stop(): Promise<void>;
}

export async function startPagePackServer(
  privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
): Promise<PagePackServer> {
  const { privateKey: foreign } = generateKeyPairSync('ed25519');
  let files: Readonly<Record<string, Buffer>> = {};
  const upload = (document: Buffer, signature: Buffer): void => {
    files = { '/packs.json': document, '/packs.json.sig': signature };
  };
  const layWith = (key: KeyObject, overlays: readonly object[]): void => {
    const document = Buffer.from(JSON.stringify(overlays));
    upload(document, Buffer.from(sign(null, document, key).toString('base64')));
  };
  layWith(privateKey, []);
  const server = await startReceiver(({ path }, response) => {
    const file = files[path];
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  return {
    url: `${server.url}/packs.json`,
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
    lay: (overlays) => layWith(privateKey, overlays),
    forge: (overlays) => layWith(foreign, overlays),
    upload,
    stop: server.close,
  };
}
