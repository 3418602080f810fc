import { Router } from 'express';
import type { Request } from 'express';
import { z } from 'zod';
import { placeOf } from '../bot-id.ts';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { runCommand } from './run-command.ts';
import type { CommandDependencies, Order } from './run-command.ts';

const chatBody = z.object({ message: z.string().min(1).max(4_096) });
const pauseBody = z
  .object({ chat_message: z.string().min(1).max(4_096).nullable().default(null) })
  .nullish()
  .transform((body) => body?.chat_message ?? null);

const readOrder = {
  'send-chat-message': (body: unknown): Order => ({ kind: 'send-chat-message', ...readInput(chatBody, body) }),
  'pause-recording': (body: unknown): Order => ({ kind: 'pause-recording', chatMessage: readInput(pauseBody, body) }),
  'resume-recording': (body: unknown): Order => ({ kind: 'resume-recording', chatMessage: readInput(pauseBody, body) }),
} as const satisfies Record<Order['kind'], (body: unknown) => Order>;

/** `POST /internal/v2/bots/{bot_id}/send-chat-message`, `/pause-recording`, `/resume-recording`: 200 {success, data: {message}}. */
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
