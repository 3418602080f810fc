import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RapporteurClient } from '@rapporteur/sdk';
import { Webhook } from 'standardwebhooks';
import type { CommandDefinition } from '../command.ts';
import { wholeNumberOf } from '../command.ts';
import { UsageError } from '../sentences.ts';

type NewMessage = Awaited<ReturnType<RapporteurClient['listNewWebhookMessages']>>['data'][number];

/** Longer than the service waits before it responds without a message. */
const callMs = 30_000;
const waitSeconds = 10;
/** Between two responses without a message that came at once. */
const pauseMs = 1_000;
const forwardMs = 30_000;

/** Reads new messages from the API: the deployment needs no way to this machine, and nothing is registered there. */
export const listen: CommandDefinition = {
  summary: 'print what an endpoint of the team would receive, or pass it on to a program on this machine',
  example: 'webhooks listen --forward-to http://127.0.0.1:3000/hook',
  options: {
    '--forward-to <url>': 'POST every message there, signed as a delivery is',
    '--secret <secret>': 'to sign with (default: a new one, which is printed)',
    '--count <n>': 'stop after so many messages',
  },
  run: async ({ client, options, progress, signal }) => {
    const most = options['count'] === undefined ? Infinity : wholeNumberOf('--count', options['count']);
    const forward = options['forwardTo'] === undefined ? null : openForward(options['forwardTo'], options['secret']);
    const api = await client();
    let { after } = await api.listNewWebhookMessages();
    const secret = forward === null ? {} : { secret: forward.secret };
    progress(`Listening. Ctrl-C stops.${forward === null ? '' : ` Secret: ${forward.secret}`}`, {
      listening: true,
      ...secret,
    });
    let count = 0;
    while (count < most && !signal.aborted) {
      const asked = Date.now();
      const found = await api
        .listNewWebhookMessages({ after, wait: waitSeconds }, { signal, timeoutMs: callMs })
        .catch((error: unknown) => {
          if (signal.aborted) return null;
          throw error;
        });
      if (found === null) break;
      after = found.after;
      for (const message of found.data.slice(0, most - count)) {
        const outcome = forward === null ? null : await forward.send(message);
        progress(`${outcome === null ? '' : `${outcome}  `}${JSON.stringify(message.payload)}`, {
          ...message,
          forwarded: outcome,
        });
        count += 1;
      }
      if (found.data.length === 0 && Date.now() - asked < pauseMs)
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    return { text: `${count} ${count === 1 ? 'message' : 'messages'} arrived.`, data: { messages: count } };
  },
};

interface Forward {
  readonly secret: string;
  /** The status of the response, or why there is none. */
  send(message: NewMessage): Promise<string>;
}

function openForward(url: string, given: string | undefined): Forward {
  if (!URL.canParse(url)) throw new UsageError(`--forward-to must be an address, not ${url}.`);
  const secret = given ?? `whsec_${randomBytes(24).toString('base64')}`;
  const signer = openSigner(secret);
  return {
    secret,
    send: async ({ message_id: id, payload }) => {
      const body = JSON.stringify(payload);
      const at = new Date();
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': signer.sign(id, at, body),
      };
      try {
        const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(forwardMs) });
        await response.body?.cancel();
        return String(response.status);
      } catch (error) {
        const { cause, message } = error as Error;
        return `not delivered (${cause instanceof Error && cause.message !== '' ? cause.message : message})`;
      }
    },
  };
}

function openSigner(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch (error) {
    throw new UsageError('--secret must be one as the API gives them, whsec_ and base64.', { cause: error });
  }
}
