import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WholeTokens20261125203000 implements MigrationInterface {
  readonly name = 'WholeTokens20261125203000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

/** A token becomes one second of recording; it was one hour. */
const statements = [
  `alter table token_accounts drop constraint token_accounts_never_negative`,
  `alter table token_accounts
    alter column balance type bigint using ceil(balance * 3600), alter column reserved type bigint using floor(reserved * 3600)`,
  `alter table token_accounts
    add constraint token_accounts_never_negative check (balance >= 0 and reserved >= 0 and reserved <= balance)`,
  `alter table token_ledger alter column tokens type bigint using round(tokens * 3600)`,
  `alter table bots alter column reserved_tokens type bigint using floor(reserved_tokens * 3600)`,
  `drop index token_ledger_once_per_request`,
  `create unique index token_ledger_once_per_request on token_ledger (request_id, kind) where request_id is not null`,
] as const;
