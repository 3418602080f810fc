import { reservedTokensFor } from '@rapporteur/bot-lifecycle';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { NewBotPlace } from '../lifecycle/bots.store.ts';
import { findCredentialRefusal } from '../credentials/credential-refusal.ts';
import { reserveLogin } from '../credentials/wanted-login.ts';
import { sealSecrets } from '../credentials/bot-secrets.store.ts';
import { onlyNeeded } from '../credentials/split-secrets.ts';
import { refuseOwnKeys } from '../credentials/own-keys.ts';
import { refuseLongRetention } from '../credentials/own-retention.ts';
import { metersOf } from '../credentials/bot-meters.ts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import type { Context } from '../schema/context.ts';
import { admit } from './admission.store.ts';
import type { Admission, NewBot } from './admission.store.ts';
import { callbackOf, prepareBot, transcriptionKeyOf } from './prepare-bot.ts';
import type { PreparedBot, PrepareDependencies } from './prepare-bot.ts';

export type AdmissionDependencies = PrepareDependencies &
  Pick<Context, 'database' | 'events' | 'notifyRuns' | 'box' | 'now'>;

export interface AdmittedBot {
  readonly botId: string;
  /** True: no login was available, and the bot joins without one, as its fallback allows. */
  readonly anonymousFallback: boolean;
}

/**
 * Admits a new bot, or throws a failure. The checks on the team (cap, tokens, duplicate) hold for any number of
 * parallel requests: they are serialized per team. A refused bot leaves no data; an id that the team already has is the
 * bot of an earlier attempt of the same request.
 */
export async function admitBot(
  dependencies: AdmissionDependencies,
  place: NewBotPlace,
  body: CreateBotBody,
): Promise<AdmittedBot> {
  const { botId, teamId } = place;
  const prepared = prepareBot(dependencies, body);
  await refuseOwnKeys(dependencies.database, teamId, prepared.secrets);
  await refuseLongRetention(dependencies.database, teamId, body.retention_hours);
  const unusable = await findCredentialRefusal(dependencies.zoom, teamId, body, 'now');
  if (unusable !== null) throw unusable;
  const { login, anonymousFallback } = await reserveLogin(dependencies.logins ?? null, { botId, teamId }, body);
  const configuration = { ...prepared.configuration, login };
  const bot = newBot(dependencies, place, { ...prepared, configuration });
  const admission = await admit(dependencies.database, bot);
  const refusal = refusalOf(admission, bot);
  if (refusal !== null) {
    // A failed release is harmless: no bot with this id is created.
    if (login !== null) await dependencies.logins?.release({ botId, teamId }).catch(() => undefined);
    throw refusal;
  }
  dependencies.events.notify(admission.events);
  dependencies.notifyRuns();
  return { botId: bot.id, anonymousFallback };
}

function newBot({ box, now }: AdmissionDependencies, place: NewBotPlace, prepared: PreparedBot): NewBot {
  const { botId: id, teamId, apiKeyId } = place;
  const secrets = sealSecrets(box, place, onlyNeeded(prepared.secrets, prepared.request));
  return {
    ...prepared,
    id,
    teamId,
    apiKeyId,
    created: null,
    at: new Date(now()),
    callback: callbackOf(prepared.request, { hasSecret: prepared.secrets.callback_secret !== undefined }),
    joinAt: null,
    reservedTokens: reservedTokensFor(
      metersOf({
        configuration: prepared.configuration,
        transcriptionKey: transcriptionKeyOf(prepared.request, prepared.secrets.transcription_api_key !== undefined),
      }),
    ),
    secrets,
  };
}

/** Why a bot was not admitted, as a failure; null when it was. */
export function refusalOf(
  { verdict, cap, available, freeAt }: Omit<Admission, 'events'>,
  { at, legacy, reservedTokens }: Pick<NewBot, 'at' | 'legacy' | 'reservedTokens'>,
): Failure | null {
  switch (verdict) {
    case 'admitted':
      return null;
    case 'unknown-team':
      return fail('UNAVAILABLE', {
        message: 'This team is not known to the scheduler yet. Try again in a moment.',
        retryAfterSeconds: 1,
      });
    case 'cap':
      return fail('DAILY_BOT_CAP_REACHED', {
        message: `The team's plan allows ${cap} bots in 24 hours, and that many were created.`,
        ...(freeAt === null
          ? {}
          : { retryAfterSeconds: Math.max(1, Math.ceil((freeAt.getTime() - at.getTime()) / 1_000)) }),
      });
    case 'tokens':
      return fail('INSUFFICIENT_TOKENS', {
        message: `A bot reserves ${reservedTokens} tokens and the team has ${available} left that are not reserved.`,
      });
    case 'duplicate':
      return fail('BOT_ALREADY_EXISTS', {
        message: `A bot was already sent to this meeting in the last 5 minutes. ${legacy === null ? anotherBot : anotherLegacyBot}`,
      });
  }
}

const anotherBot = 'Set allow_multiple_bots to true to send another.';
const anotherLegacyBot = 'Give a deduplication_key of its own to send another.';
