import { Router } from 'express';
import type { Request } from 'express';
import { z } from 'zod';
import { placeOf } from '../schema/bot-id.ts';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findUntypableMessage, withLineFeeds } from '../admission/page-text.ts';
import { runCommand } from './run-command.ts';
import type { CommandDependencies, CommandRequest } from './run-command.ts';

const text = z.string().min(1).max(4_096);
const chatBody = z.object({ message: text });
const pauseBody = z.object({ chat_message: text.nullable().default(null) }).nullish();

const readPause = (body: unknown): string | null =>
  readMessage(readInput(pauseBody, body)?.chat_message ?? null, 'chat_message');

/** Throws VALIDATION for a message that an input field cannot hold. */
function readMessage<T extends string | null>(message: T, field: string): T | string {
  const untypable = findUntypableMessage(message, field);
  if (untypable !== null) throw untypable;
  return message === null ? message : withLineFeeds(message);
}

const readOrder = {
  'send-chat-message': (body: unknown): CommandRequest => ({
    kind: 'send-chat-message',
    message: readMessage(readInput(chatBody, body).message, 'message'),
  }),
  'pause-recording': (body: unknown): CommandRequest => ({ kind: 'pause-recording', chatMessage: readPause(body) }),
  'resume-recording': (body: unknown): CommandRequest => ({ kind: 'resume-recording', chatMessage: readPause(body) }),
} as const satisfies Record<CommandRequest['kind'], (body: unknown) => CommandRequest>;

/**
 * `POST /internal/v2/bots/{bot_id}/send-chat-message`, `/pause-recording`, `/resume-recording`: 200 {success, data:
 * {message}}.
 */
export function commandRoutes(auth: InternalAuth, dependencies: CommandDependencies): Router {
  const router = Router();
  for (const [action, read] of Object.entries(readOrder)) {
    router.post(
      `/internal/v2/bots/:bot_id/${action}`,
      auth.require(['api-gateway']),
      jsonBody({ limitBytes: 65_536 }),
      async (request: Request, response) => {
        const place = placeOf(request);
        response.json({ success: true, data: await runCommand(dependencies, place, read(request.body)) });
      },
    );
  }
  return router;
}
