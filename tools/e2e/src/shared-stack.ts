import { randomUUID } from 'node:crypto';
import { keepLogsOf, waitFor } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import { adminOf } from './admin-client.ts';
import { ApiClient } from './api-client.ts';
import { SimulatorClient } from './simulator-client.ts';
import { newDataFolder, removeDataFolder, startStackProcess } from './stack-process.ts';

/** In the environment of the test files: the shared stack as JSON. */
const variable = 'E2E_STACK';
/** The limit for all files that run at the same time. */
const mostBots = 12;
const tokens = 1_000_000;

/** One stack for every file that needs no other options and stops no part of it. */
export interface SharedStack {
  readonly apiUrl: string;
  readonly simulatorUrl: string;
  readonly dataFolder: string;
  /** GET: the spans that the stack has sent. */
  readonly spansUrl: string;
}

/** Starts it for a Jest run; resolves with what ends it. */
export async function startSharedStack(): Promise<() => Promise<void>> {
  const dataFolder = newDataFolder();
  const collector = await startTraceCollector();
  const options = [`--traces-url=${collector.url}`, `--max-bots=${mostBots}`];
  const end = async (): Promise<void> => {
    await removeDataFolder(dataFolder);
    await collector.stop();
  };
  try {
    const stack = await startStackProcess(dataFolder, options);
    const { apiUrl, simulatorUrl } = stack;
    process.env[variable] = JSON.stringify({
      apiUrl,
      simulatorUrl,
      dataFolder,
      spansUrl: collector.spansUrl,
    });
    return async () => {
      await stack.interrupt();
      await end();
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** @throws Error outside a Jest run that starts it */
export function sharedStack(): SharedStack {
  const text = process.env[variable];
  if (text === undefined) throw new Error(`${variable} is not set: run this file with tools/e2e/jest.config.mjs.`);
  return JSON.parse(text) as SharedStack;
}

/** A team on the shared stack, and what its programs call. */
export interface OwnTeam extends SharedStack {
  readonly teamId: string;
  readonly apiKey: string;
  readonly api: ApiClient;
  readonly simulator: SimulatorClient;
}

/** A team of this file's own without activity, once it may create bots. */
export async function createOwnTeam(): Promise<OwnTeam> {
  const stack = sharedStack();
  keepLogsOf(stack.dataFolder);
  const { team_id: teamId, api_key: apiKey } = await adminOf(stack.dataFolder)<Record<'team_id' | 'api_key', string>>(
    'POST',
    '/teams',
    { name: `Team ${randomUUID()}`, plan: 'self_hosted', tokens },
  );
  const api = new ApiClient(stack.apiUrl, apiKey);
  const body = { bot_name: 'Guest', meeting_url: 'https://meet.google.com/abc-defg-hij' };
  // The scheduler receives a team and its tokens as messages.
  await waitFor(
    async () => {
      const { status, body: response } = await api.call<{ data?: { ready: boolean } }>(
        'POST',
        '/v2/bots/preflight',
        body,
      );
      return status === 200 && response.data?.ready === true;
    },
    { what: 'the team to have its tokens' },
  );
  return { ...stack, teamId, apiKey, api, simulator: new SimulatorClient(stack.simulatorUrl) };
}

export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
}

interface TraceCollector {
  /** Takes OTLP over HTTP as JSON. */
  readonly url: string;
  /** GET: `CollectedSpan[]`. */
  readonly spansUrl: string;
  stop(): Promise<void>;
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly { name: string; traceId: string }[] }[];
  }[];
}

/** An OpenTelemetry collector that keeps every span. */
async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const { url, close } = await startReceiver(({ method, body }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (method === 'GET') return void response.end(JSON.stringify(spans));
    const { resourceSpans } = JSON.parse(String(body)) as ExportRequest;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { name, traceId } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ service, name, traceId });
    }
    response.end('{}');
  });
  return {
    url: `${url}/v1/traces`,
    spansUrl: `${url}/spans`,
    stop: close,
  };
}
