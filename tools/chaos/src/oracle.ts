import { startReceiver } from '@rapporteur/testbed/receiver';

export interface Attendance {
  /** Attempts that joined, in order; a duplicate joined twice. */
  readonly joins: number[];
  leaves: number;
}

export interface FinalEvent {
  readonly webhookId: string;
  readonly event: 'bot.completed' | 'bot.failed';
  /** End code and message of a failed bot. */
  readonly reason: string | null;
}

/** The outcome from outside of the system: the joins of the meetings, and the events that a customer received. */
export interface Oracle {
  /** Base URL of the bots' meetings; each lasts `meetingMs` after the bot has joined. */
  readonly meetingUrl: string;
  readonly webhookUrl: string;
  readonly attendances: ReadonlyMap<string, Attendance>;
  /** The final events of each bot, each webhook once however often it was delivered. */
  readonly finalEvents: ReadonlyMap<string, readonly FinalEvent[]>;
  stop(): Promise<void>;
}

interface FinalEventBody {
  readonly event: string;
  readonly data: { readonly bot_id: string; readonly error_code?: string; readonly error_message?: string };
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
  const receive = (webhookId: string, { event, data }: FinalEventBody): void => {
    if (event !== 'bot.completed' && event !== 'bot.failed') return;
    const known = finalEvents.get(data.bot_id) ?? [];
    const reason = event === 'bot.failed' ? `${data.error_code}: ${data.error_message}` : null;
    if (!known.some((each) => each.webhookId === webhookId)) known.push({ webhookId, event, reason });
    finalEvents.set(data.bot_id, known);
  };
  const { url, close } = await startReceiver(({ path, headers, body }, response) => {
    const [, place, what = ''] = path.split('/');
    if (place === 'webhooks') {
      receive(String(headers['webhook-id']), JSON.parse(String(body)) as FinalEventBody);
      response.writeHead(204).end();
      return;
    }
    const { botId, attempt } = JSON.parse(String(body)) as { botId: string; attempt: number };
    response.end(JSON.stringify(meet(what, botId, attempt)));
  });
  return { meetingUrl: `${url}/meetings`, webhookUrl: `${url}/webhooks`, attendances, finalEvents, stop: close };
}
