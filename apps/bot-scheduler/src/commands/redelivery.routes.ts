import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { servePublic } from '@rapporteur/service-runtime';
import type { BodyOf, InternalAuth } from '@rapporteur/service-runtime';
import { botRedeliveryRequested } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { isFinal } from '@rapporteur/bot-lifecycle';
import { fail } from '@rapporteur/failures';
import { botPlaceOf } from '../schema/context.ts';
import { firstRefused } from '../admission/address-rules.ts';
import type { AddressChecks } from '../admission/address-rules.ts';
import { lockBotOfTeam, refuseInStatus } from '../lifecycle/bots.store.ts';
import { endedData } from '../lifecycle/move-bot.ts';
import type { BotRow, CallbackRow } from '../schema/bot-entity.ts';
import { forgetSecretLater, saveSecrets, sealSecrets } from '../credentials/bot-secrets.store.ts';
import { retrySecretField } from '../credentials/split-secrets.ts';
import type { BotPlace, Context } from '../schema/context.ts';

type RedeliveryDependencies = Pick<AddressChecks, 'checkWebhook'> &
  Pick<Context, 'database' | 'events' | 'box' | 'now'>;

/** Callbacks are given up much earlier; the rest covers an outage of delivery. */
const keptForMs = 24 * 3_600_000;

/** Settings of a retried callback; absent members are the bot's own (specification 4.4). */
type GivenCallback = BodyOf<'retryBotCallback'>;

interface Message {
  readonly message: string;
}

/** Requests another delivery of the final webhook. Throws BOT_NOT_FOUND, and BOT_STATUS while the bot is not over. */
async function resendWebhook(dependencies: RedeliveryDependencies, place: BotPlace): Promise<Message> {
  await dependencies.database.transaction(async (transaction) => {
    const bot = await lockEnded(transaction, place, 'have its final webhook sent again');
    await sendRequest(dependencies, transaction, bot, { requestId: randomUUID(), to: { kind: 'webhook-endpoints' } });
  });
  dependencies.events.notify();
  return {
    message:
      'The final webhook is sent again to every enabled endpoint that is subscribed to it; without one, nothing is sent.',
  };
}

/**
 * Requests another callback, with the given settings in place of the bot's own. Throws BOT_NOT_FOUND, BOT_STATUS while
 * the bot is not over or without transcription, CALLBACK_NOT_CONFIGURED, and VALIDATION or ADDRESS_REFUSED for the
 * address.
 */
async function retryCallback(
  dependencies: RedeliveryDependencies,
  place: BotPlace,
  given: GivenCallback,
): Promise<Message> {
  const refused = firstRefused(dependencies.checkWebhook, [{ field: 'url', url: given?.url }]);
  if (refused !== null) throw refused;
  await dependencies.database.transaction(async (transaction) => {
    const bot = await lockEnded(transaction, place, 'have its callback made again');
    if (!bot.transcription_wanted) {
      throw fail('BOT_STATUS', {
        message: `Bot ${bot.id} was not to be transcribed; callbacks are made again only for bots that were.`,
      });
    }
    if (bot.callback === null) throw fail('CALLBACK_NOT_CONFIGURED');
    const requestId = randomUUID();
    const callback = await targetOf(dependencies, transaction, { place, requestId, own: bot.callback, given });
    await sendRequest(dependencies, transaction, bot, { requestId, to: { kind: 'callback', callback } });
  });
  dependencies.events.notify();
  return { message: 'The callback is being made again.' };
}

async function lockEnded(transaction: Executor, place: BotPlace, action: string): Promise<BotRow> {
  const bot = await lockBotOfTeam(transaction, place, action);
  if (!isFinal(bot.phase)) throw refuseInStatus(bot.id, bot.status, action);
  return bot;
}

interface Wanted {
  readonly requestId: string;
  readonly to: { readonly kind: 'webhook-endpoints' } | { readonly kind: 'callback'; readonly callback: CallbackRow };
}

async function sendRequest(
  { events }: RedeliveryDependencies,
  transaction: Executor,
  bot: BotRow,
  wanted: Wanted,
): Promise<void> {
  await events.add(transaction, botRedeliveryRequested, { ...wanted, ended: endedData(bot) });
}

interface Target {
  readonly place: BotPlace;
  readonly requestId: string;
  readonly own: CallbackRow;
  readonly given: GivenCallback;
}

/** A secret of the request is stored for this callback only, in a separate field. */
async function targetOf(
  { box, now }: RedeliveryDependencies,
  transaction: Executor,
  { place, requestId, own, given }: Target,
): Promise<CallbackRow> {
  if (given === null) return own;
  const { url, method = own.method, secret } = given;
  if (secret === undefined) return { url, method, secretField: own.secretField };
  if (secret === null) return { url, method, secretField: null };
  const secretField = retrySecretField(requestId);
  await saveSecrets(transaction, place, sealSecrets(box, place, { [secretField]: secret }));
  await forgetSecretLater(transaction, place.botId, secretField, new Date(now() + keptForMs));
  return { url, method, secretField };
}

/** The API of repeated deliveries. */
export function redeliveryRoutes(auth: InternalAuth, dependencies: RedeliveryDependencies): Router {
  return servePublic(auth, {
    resendBotWebhook: async (call) => ({ data: await resendWebhook(dependencies, botPlaceOf(call)) }),
    retryBotCallback: async ({ body, ...call }) => ({
      data: await retryCallback(dependencies, botPlaceOf(call), body),
    }),
  });
}
