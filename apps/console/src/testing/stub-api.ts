import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { CanaryList, FleetReport, PagePackView } from '@rapporteur/contracts';
import { startReceiver } from '@rapporteur/testbed/receiver';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A public API with one key and one bot, and a store with the files of that bot. */
export interface StubApi {
  readonly url: string;
  readonly key: string;
  readonly botId: string;
  /** Requests below /v2. */
  readonly seen: SeenRequest[];
  /** Files by the last part of their path; the store serves ranges of them. */
  readonly files: Map<string, Buffer>;
  /** Base address of links; null: the address of the stub. */
  filesUrl: string | null;
  stop(): Promise<void>;
}

const emptyFleet: FleetReport = {
  at: '2026-11-23T09:00:00.000Z',
  phases: [],
  capacity: {
    limit: 4,
    used: 0,
    queued: 0,
    oldestQueuedSeconds: null,
    pending: 0,
    expectedPickupSeconds: 2,
    obstacles: [],
  },
  newestBots: 20_000,
  punctuality: { bots: 0, late: 0, p95Seconds: null, mostSeconds: null },
  hours: [],
  days: [],
  platforms: [],
  failures: [],
};

const builtIn: PagePackView = {
  platforms: [
    {
      platform: 'meet',
      state: 'built-in',
      version: '2026-11-26.1',
      share: null,
      previous_version: null,
      accepted_at: null,
      suspended: null,
    },
  ],
  refused: null,
  unrecognised: [],
};
const oneCanary: CanaryList = {
  canaries: [
    {
      name: 'meet-daily',
      platform: 'meet',
      interval_seconds: 900,
      next_run_at: '2026-11-23T09:15:00.000Z',
      running: false,
      runs: [],
    },
  ],
};

/** What the gateway returns to operators, by path. */
const forOperators: Readonly<Record<string, object>> = {
  '/operator/v1/fleet': emptyFleet,
  '/operator/v1/page-packs': builtIn,
  '/operator/v1/canaries': oneCanary,
  '/operator/v1/canaries/meet-daily/run': { success: true },
};

export async function startStubApi(): Promise<StubApi> {
  const key = 'rap_stub0000000000000000000000000000_key';
  const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
  const seen: SeenRequest[] = [];
  const files = new Map<string, Buffer>();
  const server = await startReceiver(({ method, path: url, headers, body }, response) => {
    if (url.startsWith('/files/')) return sendFile(files.get(url.slice('/files/'.length)), headers.range, response);
    seen.push({ method, url, headers, body: String(body) });
    const isKnown = headers['x-service-api-key'] === key || headers.authorization !== undefined;
    if (!isKnown) return sendJson(response, 403, refusal);
    const found = find(url);
    sendJson(response, found === null ? 404 : 200, found ?? missing);
  });
  const find = (url: string): object | null => {
    const shown = forOperators[url];
    if (shown !== undefined) return shown;
    const base = `${stub.filesUrl ?? server.url}/files`;
    const linkOf = (name: string) => (files.has(name) ? `${base}/${name}` : null);
    if (url.startsWith(`/v2/bots/${botId}/screenshots`)) {
      return page([{ screenshot_id: 1, url: `${base}/screenshot`, taken_at: '2026-11-23T09:00:00.000Z' }]);
    }
    if (url === `/v2/bots/${botId}`) {
      const names = ['video', 'transcription', 'chat_messages', 'poster'];
      const links = Object.fromEntries(names.map((name) => [name, linkOf(name)]));
      const audio = [{ id: 1, name: 'Alice', speech_seconds: 1, url: linkOf('voice') }];
      return { success: true, data: { ...links, participant_audio: audio } };
    }
    return /^\/v2\/bots(\?|$)/.test(url) ? page([]) : null;
  };
  const stub: StubApi = {
    url: server.url,
    key,
    botId,
    seen,
    files,
    filesUrl: null,
    stop: server.close,
  };
  return stub;
}

const refusal = {
  success: false,
  error: 'Forbidden',
  code: 'FST_ERR_FORBIDDEN',
  statusCode: 403,
  message: 'Forbidden',
};
const missing = {
  success: false,
  error: 'Not Found',
  code: 'FST_ERR_BOT_NOT_FOUND_BY_ID',
  statusCode: 404,
  message: 'There is no bot with this id.',
};

function page(data: readonly object[]) {
  return { success: true, data, cursor: null, prev_cursor: null };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'from_api=1' })
    .end(JSON.stringify(body));
}

function sendFile(file: Buffer | undefined, range: string | undefined, response: ServerResponse): void {
  if (file === undefined) return void response.writeHead(404).end();
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined) return void response.writeHead(200).end(file);
  const [start, end] = [Number(from), Math.min(Number(to), file.byteLength - 1)];
  if (start > end) return void response.writeHead(416, { 'content-range': `bytes */${file.byteLength}` }).end();
  response
    .writeHead(206, { 'content-range': `bytes ${start}-${end}/${file.byteLength}`, 'content-type': 'text/html' })
    .end(file.subarray(start, end + 1));
}
