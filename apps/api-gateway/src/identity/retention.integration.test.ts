import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTeams } from './teams.store.ts';
import type { IdentityOutbox, Teams } from './teams.store.ts';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

let edge: Edge;
let url: string;
let operator: Teams;
const published: unknown[] = [];

beforeAll(async () => {
  edge = await startEdge();
  url = await edge.startGateway();
  const outbox: IdentityOutbox = {
    add: (_transaction, _definition, data) => {
      published.push(data);
      return Promise.resolve('');
    },
    notify: () => undefined,
  };
  operator = createTeams(edge.database, outbox);
});
afterAll(() => edge.stop());

async function newTeam(plan: string) {
  const teamId = await edge.createTeam(plan);
  const key = await edge.createKey(teamId, 'full');
  const address = `${url}/v2/retention-settings`;
  return {
    teamId,
    read: async () => (await send('get', address, { key })).body['data'],
    set: (days: unknown) => send('put', address, { key, body: { days } }),
  };
}

describe('the retention of a team', () => {
  test('is what its plan allows until it chooses a shorter one', async () => {
    const { read, set } = await newTeam('pro');
    expect(await read()).toEqual({ days: null, maximum_days: 7, effective_days: 7 });
    const chosen = { days: 2, maximum_days: 7, effective_days: 2 };
    expect((await set(2)).body).toEqual({ success: true, data: chosen });
    expect(await read()).toEqual(chosen);
    await set(null);
    expect(await read()).toEqual({ days: null, maximum_days: 7, effective_days: 7 });
  });

  test.each([
    [8, 'at most 7 days'],
    [0, 'days: '],
    ['2', 'days: '],
  ])('%p days are refused on a plan of 7', async (days, message) => {
    const { read, set } = await newTeam('pro');
    const { status, body } = await set(days);
    expect([status, body['code']]).toEqual([400, 'FST_ERR_VALIDATION']);
    expect(body['message']).toContain(message);
    expect(await read()).toMatchObject({ effective_days: 7 });
  });

  test('follows a shorter plan, comes back with a longer one, and is published with every change', async () => {
    const { teamId, read, set } = await newTeam('pro');
    await set(5);
    const { retention_days: days } = await operator.change(teamId, { plan: 'pay_as_you_go' });
    expect(days).toBe(3);
    expect(await read()).toEqual({ days: 5, maximum_days: 3, effective_days: 3 });
    await operator.change(teamId, { retention_days: 90 });
    expect(await read()).toEqual({ days: 5, maximum_days: 90, effective_days: 5 });
    expect(published.slice(-2)).toMatchObject([{ plan: { retentionDays: 3 } }, { plan: { retentionDays: 5 } }]);
  });
});
