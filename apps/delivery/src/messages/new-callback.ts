import type { z } from 'zod';
import type { botRedeliveryRequested } from '@rapporteur/contracts';
import { legacyKeyField } from '../sending/bot-secrets.ts';
import { previousOf } from './messages.store.ts';
import type { BotEnded, Message } from './message-body.ts';
import type { CallbackKind } from '../schema/rows.ts';

/** One message to one address that came with a bot or a calendar. */
export interface NewCallback {
  readonly message: Message;
  /** The bot or the calendar. */
  readonly ownerId: string;
  readonly kind: CallbackKind;
  /** The same trigger makes one delivery of an owner, however often its event arrives. */
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

export function callbackOf(message: Message, target: CallbackTarget, trigger: string): NewCallback {
  return { message, ownerId: botOf(message), kind: 'callback', trigger, ...target, previous: null };
}

/** Null for a bot that has no legacy address of its own. */
export function legacyCallbackOf(message: Message, legacy: BotEnded['legacy'], trigger: string): NewCallback | null {
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
