import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { BotSecrets } from './split-secrets.ts';

/**
 * Throws BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN when these secrets include a provider key and the team's plan does not
 * allow own keys.
 */
export async function refuseOwnKeys(executor: Executor, teamId: string, secrets: BotSecrets): Promise<void> {
  if (secrets.transcription_api_key === undefined && secrets.streaming_api_key === undefined) return;
  const [team] = await executor.query<{ byok_transcription: boolean }>(
    'select byok_transcription from team_limits where team_id = $1',
    [teamId],
  );
  if (team?.byok_transcription === false) throw fail('BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN');
}
