import { reservedTokensFor } from '@rapporteur/bot-lifecycle';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { SecretBox } from '@rapporteur/secret-box';
import type { NewBotPlace } from '../lifecycle/bots.store.ts';
import { findCredentialRefusal } from '../stored-credentials/credential-refusal.ts';
import { reserveLogin } from '../stored-logins/reserve-login.ts';
import { sealSecrets } from '../secrets/bot-secrets.store.ts';
import { onlyNeeded } from '../secrets/split-secrets.ts';
import { refuseOwnKeys } from '../teams/own-keys.ts';
import { metersOf } from '../tokens/bot-meters.ts';
import { admit } from './admission.store.ts';
import type { Admission, NewBot } from './admission.store.ts';
import type { CreateBotBody } from './create-bot-body.ts';
import { callbackOf, prepareBot, transcriptionKeyOf } from './prepare-bot.ts';
import type { PreparedBot, PrepareDependencies } from './prepare-bot.ts';

export interface AdmissionDependencies extends PrepareDependencies {
  readonly database: Database;
  readonly events: { notify(ids: readonly string[]): void };
  /** Says that a bot waits for a run. */
  readonly notifyRuns: () => void;
  readonly box: SecretBox;
  /** Epoch ms. */
  readonly now: () => number;
}

export interface AdmittedBot {
  readonly botId: string;
  /** It asked for a login, none was free, and it goes on without one, as its fallback says. */
  readonly anonymousFallback: boolean;
}

/**
 * Takes a new bot in, or throws the failure to answer with. The checks on the team (cap, tokens, duplicate) hold under
 * any number of parallel requests: they run one after another per team. A refused bot leaves nothing
 * behind; one with an id that the team has already is the bot that an earlier try of the same request made.
 */
export async function admitBot(
  dependencies: AdmissionDependencies,
  place: NewBotPlace,
  body: CreateBotBody,
): Promise<AdmittedBot> {
  const { botId, teamId } = place;
  const prepared = prepareBot(dependencies, body);
  await refuseOwnKeys(dependencies.database, teamId, prepared.secrets);
  const unusable = await findCredentialRefusal(dependencies.zoom, teamId, body, 'now');
  if (unusable !== null) throw unusable;
  const { login, anonymousFallback } = await reserveLogin(dependencies.logins ?? null, { botId, teamId }, body);
  const configuration = { ...prepared.configuration, login };
  const bot = newBot(dependencies, place, { ...prepared, configuration });
  const admission = await admit(dependencies.database, bot);
  const refusal = refusalOf(admission, bot);
  if (refusal !== null) {
    // A release that does not arrive is made up for: no bot of this id comes to be.
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

/** Why a bot was not admitted, as the failure to answer or to end it with; null when it was. */
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
