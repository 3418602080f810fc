import {
  botInvocation,
  joinTokenReply,
  joinTokenRequest,
  leaseReply,
  leaseRequest,
  runnerReport,
  runnerSubjects,
} from '@rapporteur/contracts';
import type {
  BotInvocation,
  CommandResult,
  JoinTokenReply,
  JoinTokenRequest,
  RunnerCommand,
  RunnerReport,
} from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';

export interface StubScheduler {
  readonly url: string;
  /** In the order in which they were applied, each once. */
  readonly reports: RunnerReport[];
  /** Fields of the next lease responses. */
  readonly lease: { held: boolean; leaveRequested: boolean; responding: boolean };
  /** The response of a stored credential; called with each request. */
  readonly credential: { response: (request: JoinTokenRequest) => Promise<JoinTokenReply> };
  /** Every received result, including repeated ones. */
  readonly results: CommandResult[];
  /** How often a lease was renewed. */
  readonly requests: number;
  /** Sends a command with lease responses until its result arrives, and returns the result. */
  command(botId: string, command: CommandBody): Promise<CommandResult>;
  /** Makes a ticket valid for this document, once. */
  issue(ticket: string, invocation: BotInvocation): void;
  sendNotification(botId: string): void;
  find<K extends RunnerReport['kind']>(kind: K): Extract<RunnerReport, { kind: K }> | undefined;
  stop(): Promise<void>;
}

export type CommandBody = RunnerCommand extends infer C ? (C extends RunnerCommand ? Omit<C, 'id'> : never) : never;

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The side of bot-scheduler that a runner uses: tickets over HTTP, leases and reports over a real bus. */
export async function startStubScheduler(busUrl: string): Promise<StubScheduler> {
  const bus = await connectBus({ url: busUrl, name: 'stub-scheduler', logger: quiet });
  await bus.ensureStreams();
  const tickets = new Map<string, BotInvocation>();
  const reports: RunnerReport[] = [];
  const lease = { held: true, leaveRequested: false, responding: true };
  const results: CommandResult[] = [];
  let requests = 0;
  const requested = new Map<string, { command: RunnerCommand; response: (result: CommandResult) => void }>();
  const replies = bus.reply(runnerSubjects.lease('*'), async (body) => {
    const { attempt, results: reported } = leaseRequest.parse(body);
    if (!lease.responding) throw new Error('The stub does not respond now.');
    requests += 1;
    results.push(...reported);
    for (const result of reported) {
      requested.get(result.id)?.response(result);
      requested.delete(result.id);
    }
    const commands = [...requested.values()].map(({ command }) => command);
    const applied = reports.filter((report) => report.attempt === attempt).length;
    return leaseReply.parse({
      held: lease.held,
      appliedSequence: applied,
      leaveRequested: lease.leaveRequested,
      commands,
    });
  });
  const { credential, tokens } = handleTokenRequests(bus);
  const consumer = await bus.consume({
    consumer: 'stub-scheduler',
    subject: runnerSubjects.report('*'),
    concurrency: 1,
    handle: async (message) => {
      const report = runnerReport.parse(message);
      const applied = reports.filter((known) => known.attempt === report.attempt).length;
      if (report.sequence === applied + 1) reports.push(report);
      bus.notify(runnerSubjects.notification(report.botId));
    },
  });
  const server = await startTicketServer(tickets);
  return {
    url: server.url,
    reports,
    lease,
    credential,
    results,
    get requests() {
      return requests;
    },
    command: (botId, body) =>
      new Promise((reply) => {
        const id = crypto.randomUUID();
        requested.set(id, { command: { id, ...body } as RunnerCommand, response: reply });
        bus.notify(runnerSubjects.notification(botId));
      }),
    issue: (ticket, invocation) => tickets.set(ticket, botInvocation.parse(invocation)),
    sendNotification: (botId) => bus.notify(runnerSubjects.notification(botId)),
    find: (kind) => reports.find((report) => report.kind === kind) as never,
    stop: async () => {
      await server.close();
      await consumer.stop();
      await replies.stop();
      await tokens.stop();
      await bus.close();
    },
  };
}

function handleTokenRequests(bus: Bus) {
  const credential: StubScheduler['credential'] = {
    response: () => Promise.reject(new Error('This test has no stored credential.')),
  };
  const tokens = bus.reply(runnerSubjects.joinToken('*'), async (body) =>
    joinTokenReply.parse(await credential.response(joinTokenRequest.parse(body))),
  );
  return { credential, tokens };
}

/** Returns the invocation of a ticket, once. */
function startTicketServer(tickets: Map<string, BotInvocation>): Promise<Receiver> {
  return startReceiver(({ body }, response) => {
    const { ticket } = JSON.parse(String(body)) as { ticket: string };
    const invocation = tickets.get(ticket);
    tickets.delete(ticket);
    if (invocation === undefined) response.writeHead(410).end('{}');
    else response.end(JSON.stringify(invocation));
  });
}
