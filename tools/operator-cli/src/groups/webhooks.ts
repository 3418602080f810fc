import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { verifyWebhook } from '@rapporteur/sdk';
import type { CommandContext, CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { listingCommand } from './lists.ts';
import { UsageError } from '../sentences.ts';

const listen: CommandDefinition = {
  summary: 'register a receiver on this machine, print and verify what arrives, and remove it again on Ctrl-C',
  example: 'webhooks listen --port 9000',
  options: {
    '--port <port>': 'to listen on (default: a free one)',
    '--secret <secret>': 'of an endpoint that exists already: nothing is registered',
    '--count <n>': 'stop after so many deliveries',
  },
  run: async (context) => {
    const { options, signal, progress } = context;
    const server = await startReceiver(Number(options['port'] ?? 0));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const endpoint = options['secret'] === undefined ? await register(context, url) : null;
    const secret = options['secret'] ?? endpoint?.secret ?? '';
    progress(`Listening on ${url}. Ctrl-C stops.`, { listening: url });
    try {
      const count = await receive(server, { secret, most: Number(options['count'] ?? Infinity), progress, signal });
      return { text: `${count} deliveries arrived.`, data: { deliveries: count } };
    } finally {
      server.closeAllConnections();
      server.close();
      await endpoint?.remove();
    }
  },
};

async function startReceiver(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(`Port ${port} cannot be listened on. Choose another with --port.`, { cause: error });
  });
  return server;
}

async function register({ client }: CommandContext, url: string) {
  const api = await client();
  const { endpoint_id, secret } = await api.createWebhookEndpoint({ body: { url } });
  return { secret, remove: () => api.deleteWebhookEndpoint({ endpoint_id }) };
}

interface Receiving extends Pick<CommandContext, 'progress' | 'signal'> {
  readonly secret: string;
  readonly most: number;
}

function receive(server: Server, { secret, most, progress, signal }: Receiving): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    const end = (): void => resolve(count);
    signal.addEventListener('abort', end, { once: true });
    server.on('request', async (request, response) => {
      const body = await textOf(request);
      const verdict = verdictOn(body, request.headers, secret);
      response.writeHead(verdict.valid ? 200 : 400).end();
      count += 1;
      progress(`${verdict.valid ? 'valid  ' : 'INVALID'} ${body}`, { ...verdict, body });
      if (count >= most) end();
    });
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

interface Verdict {
  readonly valid: boolean;
  readonly why: string | null;
}

function verdictOn(body: string, headers: Parameters<typeof verifyWebhook>[1], secret: string): Verdict {
  try {
    verifyWebhook(body, headers, secret);
    return { valid: true, why: null };
  } catch (error) {
    return { valid: false, why: (error as Error).message };
  }
}

const verify: CommandDefinition = {
  summary: 'verify a delivery that was saved: its body as it arrived, and its three webhook headers as JSON',
  example: 'webhooks verify --secret whsec_… --body-file body.json --headers-file headers.json',
  options: {
    '--secret <secret>': 'of the endpoint',
    '--body-file <file>': 'the body, byte for byte',
    '--headers-file <file>': 'JSON with webhook-id, webhook-timestamp and webhook-signature',
  },
  run: async ({ options: { secret, bodyFile, headersFile } }) => {
    if (secret === undefined || bodyFile === undefined || headersFile === undefined)
      throw new UsageError('Give --secret, --body-file and --headers-file.');
    const headers = readJson(headersFile);
    const { valid, why } = verdictOn(readFile(bodyFile), headers, secret);
    const text = valid ? 'The signature is valid.' : `The signature is not valid: ${why ?? ''}`;
    return { text, data: { valid, why }, failed: !valid };
  },
};

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read.`, { cause: error });
  }
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFile(file)) as Record<string, string>;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} does not hold JSON.`, { cause: error });
  }
}

const endpoints = listingCommand({
  summary: 'registered endpoints',
  example: 'webhooks endpoints',
  columns: ['endpoint_id', 'url', 'enabled', 'failing_since', 'events'],
  none: 'There are no endpoints.',
  read: (api) => api.listWebhookEndpoints(),
});

const messages = listingCommand({
  summary: 'messages to an endpoint, the newest first',
  example: 'webhooks messages ENDPOINT_ID',
  operand: { name: 'endpoint-id', question: 'To which endpoint? Say its id, from webhooks endpoints.' },
  columns: ['message_id', 'event', 'state', 'created_at'],
  none: 'There are no messages.',
  read: (api, endpoint_id) => api.all.listWebhookMessages({ endpoint_id }),
});

const resend: CommandDefinition = {
  summary: 'send a message again',
  example: 'webhooks resend MESSAGE_ID --endpoint ENDPOINT_ID',
  operands: '[message-id]',
  options: { '--endpoint <id>': 'only to this endpoint' },
  run: async ({ client, options: { endpoint }, operands }) => {
    const message_id = one(operands, 'Which message? Say its id, from webhooks messages.');
    const data = await (
      await client()
    ).resendWebhookMessage({
      message_id,
      ...(endpoint === undefined ? {} : { endpoint_id: endpoint }),
    });
    return { text: JSON.stringify(data, null, 2), data };
  },
};

export const webhooks: CommandGroup = {
  noun: 'webhooks',
  summary: 'endpoints and messages, and a receiver on this machine',
  commands: { listen, verify, endpoints, messages, resend },
};
