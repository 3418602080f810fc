import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { LifecycleStatusCode } from '@rapporteur/bot-lifecycle';
import { runnerSubjects } from '@rapporteur/contracts';
import type { RunnerCommand } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure, FailureCode } from '@rapporteur/failures';
import { botPlaceOf } from '../schema/context.ts';
import { findUntypableMessage, withLineFeeds } from '../admission/body-rules.ts';
import { lockBotOfTeam, refuseInStatus } from '../lifecycle/bots.store.ts';
import { expireCommand, findAttendingRun, findCommandState, insertCommand } from '../lifecycle/commands.store.ts';
import type { CommandState } from '../lifecycle/commands.store.ts';
import type { BotCall, BotPlace, Context } from '../schema/context.ts';

type CommandDependencies = Pick<Context, 'database' | 'notifyRunner' | 'clock'>;

type Without<C, K extends PropertyKey> = C extends unknown ? Omit<C, K> : never;
type CommandRequest = Without<RunnerCommand, 'id'>;

interface Rule {
  readonly statuses: readonly LifecycleStatusCode[];
  /** Completes the message "it cannot …". */
  readonly action: string;
  readonly done: string;
  /** The bot's status once the runner's report of the command is applied. */
  readonly leadsTo: LifecycleStatusCode | null;
  readonly failure: FailureCode;
}

const rules: Record<CommandRequest['kind'], Rule> = {
  'send-chat-message': {
    statuses: ['in_call_not_recording', 'in_call_recording', 'recording_paused', 'recording_resumed'],
    action: 'send a chat message',
    done: 'The message is in the chat.',
    leadsTo: null,
    failure: 'SEND_CHAT_MESSAGE_FAILED',
  },
  'pause-recording': {
    statuses: ['in_call_recording', 'recording_resumed'],
    action: 'pause its recording',
    done: 'The recording is paused.',
    leadsTo: 'recording_paused',
    failure: 'BOT_STATUS',
  },
  'resume-recording': {
    statuses: ['recording_paused'],
    action: 'resume its recording',
    done: 'The recording is running again.',
    leadsTo: 'recording_resumed',
    failure: 'BOT_STATUS',
  },
};

const deadlineMs = 10_000;
const pollMs = 50;
/** How long the status report may take to be applied after the runner handled the command. */
const statusDelayMs = 2_000;

/**
 * Has the runner of a bot handle a command and waits for the result. The command is a row that the runner gets with its
 * lease, so any instance may receive the request and any the lease. Throws BOT_NOT_FOUND, BOT_STATUS, CHAT_DISABLED,
 * SEND_CHAT_MESSAGE_FAILED, and UNAVAILABLE when no result arrived within 10 seconds.
 */
async function runCommand(
  dependencies: CommandDependencies,
  place: BotPlace,
  request: CommandRequest,
): Promise<{ message: string }> {
  const { clock, database } = dependencies;
  const rule = rules[request.kind];
  const startedMs = clock.monotonic();
  const id = await enqueueCommand(dependencies, place, request);
  let doneSinceMs: number | null = null;
  for (;;) {
    const state = await findCommandState(database, id);
    if (state !== null && state.outcome !== null) {
      doneSinceMs ??= clock.monotonic();
      const settled = state.outcome !== 'done' || rule.leadsTo === null || state.status === rule.leadsTo;
      if (settled || clock.monotonic() - doneSinceMs > statusDelayMs) return responseOf(rule, state);
    } else if (clock.monotonic() - startedMs > deadlineMs && (await expireCommand(database, id))) {
      throw noResponse(place);
    }
    await clock.sleep(pollMs);
  }
}

async function enqueueCommand(
  { database, notifyRunner, clock }: CommandDependencies,
  place: BotPlace,
  request: CommandRequest,
): Promise<string> {
  const id = randomUUID();
  const { statuses, action } = rules[request.kind];
  await database.transaction(async (transaction) => {
    const bot = await lockBotOfTeam(transaction, place, action);
    const attempt = statuses.includes(bot.status) ? await findAttendingRun(transaction, bot.id) : null;
    if (attempt === null) throw refuseInStatus(bot.id, bot.status, action);
    const at = new Date(clock.now());
    const expiresAt = new Date(at.getTime() + deadlineMs);
    await insertCommand(transaction, { botId: bot.id, attempt, command: { ...request, id }, at, expiresAt });
  });
  notifyRunner(runnerSubjects.notification(place.botId));
  return id;
}

function responseOf(rule: Rule, { outcome, message }: CommandState): { message: string } {
  const words = message === null || message === '' ? {} : { message };
  switch (outcome) {
    case 'done':
      return { message: rule.done, ...words };
    case 'unavailable':
      throw fail('CHAT_DISABLED', words);
    case 'failed':
      throw fail(rule.failure, words);
    default:
      throw fail('BOT_STATUS', words);
  }
}

function noResponse({ botId }: BotPlace): Failure {
  return fail('UNAVAILABLE', {
    message: `Bot ${botId} did not respond within ${deadlineMs / 1_000} seconds. It may have carried out the request all the same: read its status, then try again.`,
  });
}

/** Throws VALIDATION for a message that an input field cannot hold. */
function readMessage<T extends string | null>(message: T, field: string): T | string {
  const untypable = findUntypableMessage(message, field);
  if (untypable !== null) throw untypable;
  return message === null ? message : withLineFeeds(message);
}

/** The API of commands to a bot in its meeting. */
export function commandRoutes(auth: InternalAuth, dependencies: CommandDependencies): Router {
  const run = async (call: BotCall, request: CommandRequest) => ({
    data: await runCommand(dependencies, botPlaceOf(call), request),
  });
  const chatMessageOf = (body: { readonly chat_message: string | null } | null) =>
    readMessage(body?.chat_message ?? null, 'chat_message');
  return servePublic(auth, {
    sendBotChatMessage: ({ body, ...call }) =>
      run(call, { kind: 'send-chat-message', message: readMessage(body.message, 'message') }),
    pauseBotRecording: ({ body, ...call }) => run(call, { kind: 'pause-recording', chatMessage: chatMessageOf(body) }),
    resumeBotRecording: ({ body, ...call }) =>
      run(call, { kind: 'resume-recording', chatMessage: chatMessageOf(body) }),
  });
}
