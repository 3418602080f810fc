import { defineTable } from '@rapporteur/database';
import { column, key, optional, tokens } from './columns.ts';

/** New bots may reserve up to `balance - reserved`. */
export const tokenAccountEntity = defineTable({
  name: 'token_accounts',
  columns: {
    team_id: key('uuid', 'token_accounts_key'),
    balance: tokens,
    reserved: tokens,
    /** `team_number` of the team's newest bot. */
    bot_count: column('bigint', { default: () => '0' }),
    /** The newest creation time of a bot or a scheduled bot of the team. */
    newest_bot_at: optional('timestamptz'),
  },
  checks: [
    {
      name: 'token_accounts_never_negative',
      expression: 'balance >= 0 and reserved >= 0 and reserved <= balance',
    },
  ],
});

export const tokenLedgerEntity = defineTable({
  name: 'token_ledger',
  columns: {
    id: key('uuid', 'token_ledger_key'),
    team_id: column('uuid'),
    at: column('timestamptz'),
    kind: column('text'),
    tokens: tokens,
    bot_id: optional('uuid'),
    grant_id: optional('uuid'),
    note: optional('text'),
    /** The repeated transcription that was charged. */
    request_id: optional('uuid'),
  },
  indices: [
    { name: 'token_ledger_once_per_grant', columns: ['grant_id'], unique: true, where: 'grant_id is not null' },
    {
      name: 'token_ledger_once_per_bot',
      columns: ['bot_id', 'kind'],
      unique: true,
      where: 'bot_id is not null and request_id is null',
    },
    {
      name: 'token_ledger_once_per_request',
      columns: ['request_id', 'kind'],
      unique: true,
      where: 'request_id is not null',
    },
    { name: 'token_ledger_by_team', columns: ['team_id', 'at'] },
  ],
});
