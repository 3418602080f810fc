import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { settleTokens } from './token-accounts.store.ts';

let database: Database;
useBotsDatabase((opened) => void (database = opened));

const at = new Date('2026-11-25T09:00:00Z');
const account = async (teamId: string) => {
  const [row] = await database.query('select balance, reserved from token_accounts where team_id = $1', [teamId]);
  return row;
};
const ledger = async (teamId: string) =>
  await database.query<{ kind: string; tokens: string }>(
    'select kind, tokens, note from token_ledger where team_id = $1 order by kind',
    [teamId],
  );

describe('settling a bot', () => {
  test('charges in the ledger what the bot shows, and writes off what the account does not hold', async () => {
    const teamId = await addTeam(database, { tokens: 5_000 });
    await database.query('update token_accounts set reserved = 3600 where team_id = $1', [teamId]);
    const requestId = randomUUID();
    const settlement = { teamId, botId: randomUUID(), reserved: 1_800, charged: 4_000, note: 'NO_SPEAKER', at };
    await settleTokens(database, settlement);
    expect(await account(teamId)).toEqual({ balance: '1800', reserved: '1800' });
    expect(await ledger(teamId)).toEqual([
      { kind: 'charged', tokens: '4000', note: 'NO_SPEAKER' },
      { kind: 'granted', tokens: '5000', note: null },
      { kind: 'released', tokens: '1800', note: 'NO_SPEAKER' },
      { kind: 'written_off', tokens: '800', note: 'NO_SPEAKER' },
    ]);
    await settleTokens(database, { ...settlement, reserved: 0, charged: 10, note: 'transcribed again', requestId });
    expect(await account(teamId)).toEqual({ balance: '1800', reserved: '1800' });
    expect(await ledger(teamId)).toHaveLength(6);
  });

  test('ends a bot whose reservation the account does not have, and twice changes nothing more', async () => {
    const teamId = await addTeam(database, { tokens: 5_000 });
    await database.query('update token_accounts set reserved = 10 where team_id = $1', [teamId]);
    const settlement = { teamId, botId: randomUUID(), reserved: 20, charged: 6_000, note: 'NO_SPEAKER', at };
    await settleTokens(database, settlement);
    expect(await account(teamId)).toEqual({ balance: '0', reserved: '0' });
    await settleTokens(database, settlement);
    expect(await account(teamId)).toEqual({ balance: '0', reserved: '0' });
    expect(await ledger(teamId)).toHaveLength(4);
  });

  test('leaves a balance that is the sum of its ledger', async () => {
    const teamId = await addTeam(database, { tokens: 5_000 });
    await settleTokens(database, { teamId, botId: randomUUID(), reserved: 0, charged: 1_234, note: 'NO_SPEAKER', at });
    const [sum] = await database.query<{ tokens: string }>(
      `select sum(case kind when 'charged' then -tokens else tokens end) as tokens from token_ledger where team_id = $1`,
      [teamId],
    );
    expect(await account(teamId)).toMatchObject({ balance: sum?.tokens });
  });

  test('waits for no other bot of the team that is ending', async () => {
    const teamId = await addTeam(database, { tokens: 5_000 });
    await database.query('update token_accounts set reserved = 3600 where team_id = $1', [teamId]);
    const settlement = { teamId, reserved: 1_800, charged: 3_000, note: 'NO_SPEAKER', at };
    await database.transaction(async (first) => {
      await settleTokens(first, { ...settlement, botId: randomUUID() });
      await database.transaction(async (second) => {
        await second.query("set local lock_timeout = '5s'");
        await settleTokens(second, { ...settlement, botId: randomUUID() });
      });
      expect(await account(teamId)).toEqual({ balance: '2000', reserved: '1800' });
    });
    expect(await account(teamId)).toEqual({ balance: '0', reserved: '0' });
    const writtenOff = (await ledger(teamId)).filter(({ kind }) => kind === 'written_off');
    expect(writtenOff).toEqual([{ kind: 'written_off', tokens: '1000', note: 'NO_SPEAKER' }]);
  });
});
