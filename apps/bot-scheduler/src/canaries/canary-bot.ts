import { randomUUID } from 'node:crypto';
import { loginPlatforms } from '@rapporteur/contracts';
import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { insertUncountedBot } from '../admission/admission.store.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { prepareBot } from '../admission/prepare-bot.ts';
import type { PrepareDependencies } from '../admission/prepare-bot.ts';
import type { Canary } from './read-canaries.ts';

/**
 * The team of canaries' bots. No key belongs to it: its bots are in no list, count toward no limit, and have no webhooks.
 */
export const canaryTeamId = '00000000-0000-4000-8000-00000000ca4a';

/** Kept for looking at a failed canary. */
export const evidenceKeptDays = 7;

const notAssignedYet = '00000000-0000-0000-0000-000000000000';
const waitingRoomSeconds = 600;

/** Creates the bot of one run, like any other. Returns its id and events. */
export async function insertCanaryBot(
  transaction: Executor,
  dependencies: PrepareDependencies,
  { canary, at }: { readonly canary: Canary; readonly at: Date },
): Promise<{ readonly botId: string; readonly events: readonly string[] }> {
  const { login, platform } = canary;
  const { team_id: _team, ...selector } = login ?? {};
  const timeout_config = { waiting_room_timeout: waitingRoomSeconds, max_recording_duration: waitingRoomSeconds };
  const body = createBotBody.parse({
    bot_name: 'Rapporteur canary',
    meeting_url: canary.link,
    recording_mode: 'audio_only',
    timeout_config,
    ...(login === undefined ? {} : { [`${platform}_config`]: selector }),
  });
  const prepared = prepareBot(dependencies, body);
  const botId = randomUUID();
  const events = await insertUncountedBot(transaction, {
    ...prepared,
    // Read for their own sake: no transcript is made of them.
    configuration: {
      ...prepared.configuration,
      captions: canary.expect.captions ? { language: null } : null,
      login: loginOf(canary),
    },
    id: botId,
    teamId: canaryTeamId,
    at,
    callback: null,
    apiKeyId: null,
    created: null,
    joinAt: null,
    reservedTokens: 0,
    secrets: [],
  });
  return { botId, events };
}

/** Its runner asks for the login itself; which one it is given is stored then. */
function loginOf({ login, platform }: Canary): RunnerConfiguration['login'] {
  const signsIn = loginPlatforms.find((name) => name === platform);
  if (login === undefined || signsIn === undefined) return null;
  return { platform: signsIn, credentialId: login.credential_id ?? notAssignedYet };
}
