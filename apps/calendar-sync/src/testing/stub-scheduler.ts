import { internalCalls } from '@rapporteur/contracts';
import type { CalendarBotResult, CalendarBotsRequest } from '@rapporteur/contracts';
import { createApp, createLogger, createService, jsonBody, sendFailures } from '@rapporteur/service-runtime';
import type { Secret } from '@rapporteur/service-runtime';

export interface StubBot {
  readonly botId: string;
  readonly eventId: string;
  readonly version: number;
  readonly joinAt: string;
  readonly meetingUrl: string;
  readonly body: Record<string, unknown>;
  state: 'scheduled' | 'running' | 'cancelled' | 'ended';
}

/** A stub of bot-scheduler for calendar-sync: schedules by id; the newest version counts. */
export interface StubScheduler {
  readonly url: string;
  readonly bots: Map<string, StubBot>;
  /** A body that contains this name is refused. */
  refusedName: string | null;
  /** Number of requests to answer with 503. */
  outages: number;
  /** The next request for bots waits until it is released, before it is applied. */
  holdNext(): HeldRequest;
  stop(): Promise<unknown>;
}

export interface HeldRequest {
  /** Resolves when the request has been received. */
  readonly reached: Promise<void>;
  release(): void;
  /** Resolves when the response has been sent. */
  readonly done: Promise<void>;
}

export async function startStubScheduler(internalSecret: Secret): Promise<StubScheduler> {
  const logger = createLogger('bot-scheduler', 'silent');
  const service = createService({ name: 'bot-scheduler', internalSecret, logger });
  const app = createApp(service);
  const readJson = jsonBody({ limitBytes: 16_000_000 });
  const syncOnly = service.auth.require(['calendar-sync']);
  let holding: { reached: () => void; released: Promise<void>; done: () => void } | null = null;
  const holdNext = (): HeldRequest => {
    const [reached, released, done] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [Step, Step, Step];
    holding = { reached: reached.resolve, released: released.promise, done: done.resolve };
    return { reached: reached.promise, release: released.resolve, done: done.promise };
  };
  const stub: StubScheduler = {
    url: '',
    bots: new Map(),
    refusedName: null,
    outages: 0,
    holdNext,
    stop: () => service.stop(),
  };
  app.post(internalCalls.calendarBots.apply.path, syncOnly, readJson, async (request, response) => {
    const held = holding;
    holding = null;
    if (held !== null) response.once('finish', held.done);
    held?.reached();
    await held?.released;
    if (stub.outages > 0) {
      stub.outages -= 1;
      return void response.status(503).json({});
    }
    const { bots } = internalCalls.calendarBots.apply.body.parse(request.body);
    response.json({ results: bots.map((bot) => apply(stub, bot)) });
  });
  app.post(internalCalls.calendarBots.check.path, syncOnly, readJson, (request, response) => {
    const { bodies } = internalCalls.calendarBots.check.body.parse(request.body);
    response.json({ errors: bodies.map((body) => refusalOf(stub, body)) });
  });
  app.use(...sendFailures(service));
  const { url } = await service.listen(app, { host: '127.0.0.1', port: 0 });
  return Object.assign(stub, { url });
}

type Step = PromiseWithResolvers<void>;

function refusalOf({ refusedName }: StubScheduler, body: Record<string, unknown>): CalendarBotResult['error'] {
  return refusedName !== null && body['bot_name'] === refusedName
    ? { code: 'VALIDATION_ERROR', message: 'bot_name: It is refused.', details: 'bot_name' }
    : null;
}

function apply(
  stub: StubScheduler,
  { botId, eventId, version, wanted }: CalendarBotsRequest['bots'][number],
): CalendarBotResult {
  const known = stub.bots.get(botId);
  const none = { error: null, current: null };
  const current = known === undefined ? null : { joinAt: known.joinAt, meetingUrl: known.meetingUrl };
  if (known?.state === 'running') {
    if (wanted !== null) return { botId, outcome: 'running', error: null, current };
    known.state = 'ended';
    return { botId, outcome: 'cancelled', ...none };
  }
  if (known?.state === 'ended') return { botId, outcome: 'ended', error: null, current };
  if (known?.state === 'cancelled') return { botId, outcome: wanted === null ? 'cancelled' : 'stopped', ...none };
  if (wanted === null) {
    if (known === undefined) return { botId, outcome: 'unknown', ...none };
    known.state = 'cancelled';
    return { botId, outcome: 'cancelled', ...none };
  }
  const error = refusalOf(stub, wanted.body);
  if (error !== null) {
    if (known === undefined || known.version >= version) return { botId, outcome: 'refused', error, current: null };
    known.state = 'cancelled';
    return { botId, outcome: 'withdrawn', error, current: null };
  }
  const { joinAt, body } = wanted;
  if (known === undefined || known.version < version) {
    const meetingUrl = String(body['meeting_url']);
    stub.bots.set(botId, { botId, eventId, version, joinAt, meetingUrl, body, state: 'scheduled' });
  }
  return { botId, outcome: 'scheduled', ...none };
}
