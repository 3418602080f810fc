import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { refuseOwnKeys } from './own-keys.ts';

let harness: AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
});
afterAll(() => harness.close());

const byok = (allowed: boolean, teamId: string) =>
  harness.database.query('update team_limits set byok_transcription = $2 where team_id = $1', [teamId, allowed]);

describe("a team's own keys for transcription", () => {
  test('are taken where the plan states nothing else, and refused in 403 where it does', async () => {
    const teamId = await addTeam(harness.database);
    const batch = { transcription_api_key: 'own' };
    const live = { streaming_api_key: 'own' };
    for (const secrets of [batch, live])
      await expect(refuseOwnKeys(harness.database, teamId, secrets)).resolves.toBeUndefined();
    await byok(false, teamId);
    for (const secrets of [batch, live]) {
      await expect(refuseOwnKeys(harness.database, teamId, secrets)).rejects.toMatchObject({
        code: 'BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN',
        statusCode: 403,
      });
    }
    await expect(refuseOwnKeys(harness.database, teamId, { callback_secret: 'x' })).resolves.toBeUndefined();
  });

  test('refuse a new bot before anything of it is kept', async () => {
    const teamId = await addTeam(harness.database);
    await byok(false, teamId);
    const streaming_config = { output_url: 'wss://a.example', transcription: { api_key: 'own' } };
    const outcome = await harness.create(teamId, { streaming_config });
    expect(outcome).toMatchObject({
      status: 403,
      body: { code: 'FST_ERR_BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN' },
    });
    expect(await harness.database.query('select 1 from bots where team_id = $1', [teamId])).toEqual([]);
  });
});
