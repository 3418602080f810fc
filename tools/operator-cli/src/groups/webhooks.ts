import { readFileSync } from 'node:fs';
import { verifyWebhook } from '@rapporteur/sdk';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { listingCommand } from './lists.ts';
import { UsageError } from '../sentences.ts';
import { listen } from './listen.ts';

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
  summary: 'endpoints and messages, also those of a deployment that cannot reach this machine',
  commands: { listen, verify, endpoints, messages, resend },
};
