import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { botChatMessage } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { chatMessageOf, statusChanged } from '../testing/bot-events.ts';
import { startTeamStage } from '../testing/team-under-test.ts';
import type { TeamStage, TeamUnderTest } from '../testing/team-under-test.ts';
import { createAudience } from './audience.ts';
import { listNewMessages, newestPlace } from './new-messages.routes.ts';

let stage: TeamStage;
let team: TeamUnderTest;
beforeAll(async () => {
  stage = await startTeamStage();
});
beforeEach(async () => {
  team = await stage.next();
});
afterAll(() => stage.stop());

interface Listed {
  readonly data: readonly { readonly event: string; readonly payload: { readonly data: object } }[];
  readonly after: string;
}

async function list(after?: string, wait = 0): Promise<Listed> {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}&wait=${wait}`;
  const { status, body } = await team.api.call('GET', `/messages${query}`);
  expect(status).toBe(200);
  return body as unknown as Listed;
}

describe('a program without an endpoint', () => {
  test('gets every event that follows its first call, each once, while it waits', async () => {
    const { database } = team.surroundings;
    const begun = await list();
    expect(begun.data).toEqual([]);
    const waiting = list(begun.after, 10);
    const reported = statusChanged(team.teamId);
    await team.surroundings.statusChanged(reported);
    const first = await waiting;
    expect(first.data).toMatchObject([
      { event: 'bot.status_change', bot_id: reported.botId, payload: { data: { bot_id: reported.botId } } },
    ]);
    await team.surroundings.notify(botChatMessage, chatMessageOf(team.teamId));
    const second = await list(first.after, 10);
    expect(second.data.map(({ event }) => event)).toEqual(['bot.chat_message']);
    expect((await list(second.after)).data).toEqual([]);
    expect(
      await database.query('select from deliveries as d join messages as m using (message_id) where m.team_id = $1', [
        team.teamId,
      ]),
    ).toEqual([]);
  });

  test('does not miss a message whose transaction commits after a later one', async () => {
    const { database } = team.surroundings;
    const begun = await newestPlace(database);
    const store = `insert into messages (message_id, team_id, event, body, created_at) values ($1, $2, 'webhook.test', '{}', now())`;
    let early: readonly unknown[] = [];
    await database.transaction(async (transaction) => {
      await transaction.query(store, [`first-${team.teamId}`, team.teamId]);
      await database.query(store, [`second-${team.teamId}`, team.teamId]);
      early = (await listNewMessages(database, team.teamId, begun)).messages;
    });
    expect(early).toEqual([]);
    // Transactions of other databases of this server delay what is listed, each message on its own.
    const messages = await waitFor(
      async () => {
        const listed = (await listNewMessages(database, team.teamId, begun)).messages;
        return listed.length < 2 ? undefined : listed;
      },
      { what: 'both messages to be listed' },
    );
    expect(messages.map(({ message_id }) => message_id)).toEqual([`first-${team.teamId}`, `second-${team.teamId}`]);
  });

  test('costs nothing once it stops: two minutes later events without an endpoint are dropped again', async () => {
    const { isSubscribed } = createAudience(team.surroundings.database);
    await list();
    expect(await isSubscribed(team.teamId, 'bot.chat_message')).toBe(true);
    await team.surroundings.database.query('update listeners set expires_at = now() where team_id = $1', [team.teamId]);
    expect(await isSubscribed(team.teamId, 'bot.chat_message')).toBe(false);
  });

  test.each(['after=x', 'after=1/$', 'wait=11', 'wait=1.5', 'limit=3'])('%s is refused', async (query) => {
    expect(await team.api.call('GET', `/messages?${query}`)).toMatchObject({ status: 400 });
  });
});
