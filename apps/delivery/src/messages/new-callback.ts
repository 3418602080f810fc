import type { z } from 'zod';
import type { botRedeliveryRequested } from '@rapporteur/contracts';
import { legacyKeyField } from '../sending/bot-secrets.ts';
import { previousOf } from './messages.store.ts';
import type { NewMessage } from './messages.store.ts';
import type { BotEnded, Message } from './message-body.ts';
import type { CallbackKind } from '../schema/entities.ts';

/** One message to an address of a bot or a calendar. */
export interface NewCallback {
  readonly message: NewMessage;
  /** Id of the bot or the calendar. */
  readonly ownerId: string;
  readonly kind: CallbackKind;
  /** Deduplicates deliveries of an owner: a repeated trigger adds none. */
  readonly trigger: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  /** Field in which bot-scheduler stores the value for a header of each attempt; null: no such header. */
  readonly secretField: string | null;
  /** Sequence of the bot's event that must be sent to this address first; null: none. */
  readonly previous: number | null;
}

type CallbackTarget = Extract<
  z.output<typeof botRedeliveryRequested.data>['to'],
  { readonly kind: 'callback' }
>['callback'];

export function callbackOf(message: Message, target: CallbackTarget, trigger: string): NewCallback {
  return { message, ownerId: botOf(message), kind: 'callback', trigger, ...target, previous: null };
}

/** Null for a bot without its own legacy address. */
export function legacyCallbackOf(message: NewMessage, legacy: BotEnded['legacy'], trigger: string): NewCallback | null {
  const url = legacy?.webhookUrl ?? null;
  if (url === null) return null;
  const previous = previousOf(message.order, ['bot.status_change']) ?? null;
  return {
    message,
    ownerId: botOf(message),
    kind: 'legacy',
    trigger,
    url,
    method: 'POST',
    secretField: legacyKeyField,
    previous,
  };
}

function botOf({ botId }: Message): string {
  if (botId === null) throw new Error('Only messages about a bot go to the addresses of one.');
  return botId;
}
