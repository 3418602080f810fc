import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verificationChanged } from '@rapporteur/contracts';
import type { VerificationChange } from '@rapporteur/contracts';
import { bodyOf, startTeamStage } from '../testing/team-under-test.ts';
import type { TeamStage } from '../testing/team-under-test.ts';

let stage: TeamStage;
beforeAll(async () => {
  stage = await startTeamStage();
});
afterAll(() => stage.stop());

const event = 'meet_workspace.verification_changed';
const change: VerificationChange = {
  workspace_id: randomUUID(),
  domain: 'bots.example.com',
  name: 'Google Workspace',
  ok: false,
  previous_ok: true,
  checked_at: '2026-11-21T03:00:00.000Z',
  changed_checks: ['idp_redirects_to_us'],
  checks: [{ name: 'idp_redirects_to_us', status: 'fail', message: 'A sign-in of this domain ends at example.com.' }],
};

describe('a changed verification of a workspace', () => {
  test('arrives once, where it is subscribed to, and at no other team', async () => {
    const team = await stage.next();
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url, { events: [event] });
    const { endpoint_id: deaf } = await team.api.endpoint(`${team.receiver.url}/deaf`, { events: ['bot.failed'] });
    const eventId = randomUUID();
    await team.surroundings.notify(verificationChanged, { teamId: team.teamId, change }, eventId);
    await team.surroundings.notify(verificationChanged, { teamId: team.teamId, change }, eventId);
    await team.surroundings.notify(verificationChanged, { teamId: randomUUID(), change });
    const [call] = await team.calls(1);
    expect(bodyOf(call)).toEqual({
      id: call?.headers['webhook-id'],
      event,
      created_at: expect.any(String),
      data: change,
    });
    await team.handled(eventId);
    expect(await team.settled(id, 1)).toHaveLength(1);
    expect(await team.messagesOf(deaf)).toEqual([]);
    expect(team.receiver.calls).toHaveLength(1);
  });
});
