import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAdmissionRig } from '../testing/admission-rig.ts';
import type { AdmissionRig } from '../testing/admission-rig.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { refuseOwnKeys } from './own-keys.ts';

let rig: AdmissionRig;
beforeAll(async () => {
  rig = await openAdmissionRig();
});
afterAll(() => rig.close());

const byok = (allowed: boolean, teamId: string) =>
  rig.database.query('update team_limits set byok_transcription = $2 where team_id = $1', [teamId, allowed]);

describe("a team's own keys for transcription", () => {
  test('are taken where the plan says nothing else, and refused in 403 where it does', async () => {
    const teamId = await addTeam(rig.database);
    const batch = { transcription_api_key: 'own' };
    const live = { streaming_api_key: 'own' };
    for (const secrets of [batch, live])
      await expect(refuseOwnKeys(rig.database, teamId, secrets)).resolves.toBeUndefined();
    await byok(false, teamId);
    for (const secrets of [batch, live]) {
      await expect(refuseOwnKeys(rig.database, teamId, secrets)).rejects.toMatchObject({
        code: 'BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN',
        statusCode: 403,
      });
    }
    await expect(refuseOwnKeys(rig.database, teamId, { callback_secret: 'x' })).resolves.toBeUndefined();
  });

  test('refuse a new bot before anything of it is kept', async () => {
    const teamId = await addTeam(rig.database);
    await byok(false, teamId);
    const streaming_config = { output_url: 'wss://a.example', transcription: { api_key: 'own' } };
    const outcome = await rig.create(teamId, { streaming_config });
    expect(outcome).toMatchObject({
      status: 403,
      body: { code: 'FST_ERR_BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN' },
    });
    expect(await rig.database.query('select 1 from bots where team_id = $1', [teamId])).toEqual([]);
  });
});
