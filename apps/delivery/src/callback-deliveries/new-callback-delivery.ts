import type { z } from 'zod';
import type { botRedeliveryRequested } from '@rapporteur/contracts';
import { legacyKeyField } from '../sending/bot-secrets.ts';
import { previousOf } from '../messages/messages.store.ts';
import type { BotEnded, Message } from '../messages/message-body.ts';
import type { CallbackDeliveryKind } from '../schema/rows.ts';

/** One message to one address that came with the bot. */
export interface NewCallbackDelivery {
  readonly message: Message & { readonly botId: string };
  readonly kind: CallbackDeliveryKind;
  /** The same trigger makes one call of a bot, however often its event is delivered. */
  readonly trigger: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  /** Where bot-scheduler keeps what goes into a header of each attempt; null: nothing does. */
  readonly secretField: string | null;
  /** Sequence of the bot's event that goes to this address first; null: none does. */
  readonly previous: number | null;
}

type CallbackTarget = Extract<
  z.output<typeof botRedeliveryRequested.data>['to'],
  { readonly kind: 'callback' }
>['callback'];

export function callbackOf(message: Message, target: CallbackTarget, trigger: string): NewCallbackDelivery {
  return { message: ofBot(message), kind: 'callback', trigger, ...target, previous: null };
}

/** Null for a bot that has no legacy address of its own. */
export function legacyDeliveryOf(
  message: Message,
  legacy: BotEnded['legacy'],
  trigger: string,
): NewCallbackDelivery | null {
  const url = legacy?.webhookUrl ?? null;
  if (url === null) return null;
  const previous = previousOf(message.order, ['bot.status_change']) ?? null;
  return {
    message: ofBot(message),
    kind: 'legacy',
    trigger,
    url,
    method: 'POST',
    secretField: legacyKeyField,
    previous,
  };
}

function ofBot(message: Message): NewCallbackDelivery['message'] {
  if (message.botId === null) throw new Error('Only messages about a bot go to the addresses of one.');
  return { ...message, botId: message.botId };
}
