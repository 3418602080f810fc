import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Attendance {
  /** Attempts that came, in order; the same one twice means that it joined twice. */
  readonly joins: number[];
  leaves: number;
}

export interface FinalEvent {
  readonly webhookId: string;
  readonly event: 'bot.completed' | 'bot.failed';
}

/** What happened, seen from outside of the system: who came to the meetings, and which events a customer received. */
export interface Oracle {
  /** Each bot's meeting is here; it lasts as long as `meetingMs` after the bot has come. */
  readonly meetingUrl: string;
  readonly webhookUrl: string;
  readonly attendances: ReadonlyMap<string, Attendance>;
  /** By bot, each webhook once however often it was delivered. */
  readonly finalEvents: ReadonlyMap<string, readonly FinalEvent[]>;
  stop(): Promise<void>;
}

export async function startOracle(meetingMs: number): Promise<Oracle> {
  const attendances = new Map<string, Attendance & { readonly beganMs: number }>();
  const finalEvents = new Map<string, FinalEvent[]>();
  const meet = (what: string, botId: string, attempt: number): { over: boolean } => {
    const known = attendances.get(botId) ?? { joins: [], leaves: 0, beganMs: Date.now() };
    attendances.set(botId, known);
    if (what === 'join') known.joins.push(attempt);
    if (what === 'leave') known.leaves += 1;
    return { over: Date.now() - known.beganMs > meetingMs };
  };
  const hear = (webhookId: string, body: { event: string; data: { bot_id: string } }): void => {
    if (body.event !== 'bot.completed' && body.event !== 'bot.failed') return;
    const known = finalEvents.get(body.data.bot_id) ?? [];
    if (!known.some((event) => event.webhookId === webhookId)) known.push({ webhookId, event: body.event });
    finalEvents.set(body.data.bot_id, known);
  };
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      const [, place, what = ''] = (request.url ?? '').split('/');
      if (place === 'webhooks') {
        hear(String(request.headers['webhook-id']), JSON.parse(text) as Parameters<typeof hear>[1]);
        response.writeHead(204).end();
        return;
      }
      const { botId, attempt } = JSON.parse(text) as { botId: string; attempt: number };
      response.end(JSON.stringify(meet(what, botId, attempt)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    meetingUrl: `${url}/meetings`,
    webhookUrl: `${url}/webhooks`,
    attendances,
    finalEvents,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
