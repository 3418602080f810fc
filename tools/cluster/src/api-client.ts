import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { z } from 'zod';

export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(`${status}: ${message}`);
    this.status = status;
  }
}

/** The administrator's calls to a cluster, for tests and fake nodes. The product's own client is `@kubernetes/client-node`. */
export interface ApiClient {
  /** Throws ApiRefusal. `body` of a PATCH is a merge patch. */
  request<T = unknown>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Calls `onEvent` for each event until the stream ends or `signal` aborts. */
  watch(path: string, onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Record<string, unknown>;
}

const authentication = z.object({
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
  token: z.string().optional(),
});
const kubeconfig = z.object({
  'current-context': z.string(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) })),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({
        server: z.url(),
        'certificate-authority': z.string().optional(),
        'certificate-authority-data': z.string().optional(),
      }),
    }),
  ),
  users: z.array(z.object({ name: z.string(), user: authentication })),
});

const timeoutMs = 30_000;

/** Uses the current context of a kubeconfig with certificates or a token; no other authentication is supported. */
export function openApiClient(kubeconfigFile: string): ApiClient {
  const config = kubeconfig.parse(parse(readFileSync(kubeconfigFile, 'utf8')));
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users.find(({ name }) => name === context?.user)?.user;
  if (cluster === undefined || user === undefined) throw new Error(`${kubeconfigFile} has no usable current context.`);
  const agent = new Agent({
    keepAlive: true,
    ca: pem(cluster['certificate-authority'], cluster['certificate-authority-data']),
    cert: pem(user['client-certificate'], user['client-certificate-data']),
    key: pem(user['client-key'], user['client-key-data']),
  });
  const signIn: Record<string, string> = user.token === undefined ? {} : { authorization: `Bearer ${user.token}` };
  const send = (method: string, path: string, body: unknown, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const url = new URL(path, cluster.server);
      const headers = { ...signIn, ...(body === undefined ? {} : { 'content-type': contentType }) };
      const sent = httpsRequest(url, { method, agent, headers, signal }, resolve).on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    request: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await send(method, path, body, AbortSignal.timeout(timeoutMs));
      const text = await textOf(response);
      if ((response.statusCode ?? 500) >= 300) throw new ApiRefusal(response.statusCode ?? 500, text.slice(0, 500));
      return (text.startsWith('{') ? JSON.parse(text) : text) as T;
    },
    watch: async (path, onEvent, signal) => {
      const response = await send('GET', path, undefined, signal);
      if (response.statusCode !== 200) throw new ApiRefusal(response.statusCode ?? 500, await textOf(response));
      for await (const line of createInterface(response)) onEvent(JSON.parse(line) as WatchEvent);
    },
    close: () => agent.destroy(),
  };
}

function pem(file: string | undefined, data: string | undefined): Buffer | undefined {
  if (file !== undefined) return readFileSync(file);
  return data === undefined ? undefined : Buffer.from(data, 'base64');
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
