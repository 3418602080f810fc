import type { z } from 'zod';
import { verificationChanged } from '@rapporteur/contracts';
import type { EventEnvelope } from '@rapporteur/contracts';
import type { Audience } from './audience.ts';
import type { BotEventsDependencies } from './final-events.ts';
import { messageIdOf } from './message-id.ts';
import type { Message } from './message-body.ts';
import { storeMessages } from './messages.store.ts';

const event = 'meet_workspace.verification_changed';

/** Turns sso-idp's events about workspaces into messages. Resolves once the consumer exists. */
export async function consumeLoginEvents({
  bus,
  inbox,
  clock,
  onStored,
  audience,
}: Omit<BotEventsDependencies, 'signArtifacts'> & { readonly audience: Audience }): Promise<{ stop(): Promise<void> }> {
  return await bus.consume({
    consumer: 'delivery',
    subject: verificationChanged.type,
    handle: inbox.handle(
      verificationChanged,
      (transaction, envelope) => storeMessages(transaction, [messageOf(envelope)], new Date(clock.now())),
      { after: onStored, concerns: ({ data }) => audience.isSubscribed(data.teamId, event) },
    ),
  });
}

function messageOf({ id, occurredAt, data }: EventEnvelope<z.output<typeof verificationChanged.data>>): Message {
  const messageId = messageIdOf(data.change.workspace_id, event, id);
  const body = { id: messageId, event, created_at: occurredAt, data: data.change };
  return {
    messageId,
    teamId: data.teamId,
    botId: null,
    event,
    format: 'v2',
    keyField: null,
    order: null,
    body: Buffer.from(JSON.stringify(body)),
  };
}
