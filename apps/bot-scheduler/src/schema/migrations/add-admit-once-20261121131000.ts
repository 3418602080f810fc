import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddAdmitOnce20261121131000 implements MigrationInterface {
  readonly name = 'AddAdmitOnce20261121131000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(admitOnce);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

/** A request that is sent again after its answer was lost finds the bot that it made, whatever the limits say by now. */
const admitOnce = `
  create function admit_bot_once(
      bot jsonb, out verdict text, out cap integer, out available text, out free_at timestamptz)
    language plpgsql volatile as $$
    begin
      perform 1 from token_accounts where team_id = (bot->>'team_id')::uuid for update;
      perform 1 from bots where id = (bot->>'id')::uuid and team_id = (bot->>'team_id')::uuid;
      if found then
        verdict := 'admitted';
        return;
      end if;
      select admission.* into verdict, cap, available, free_at from admit_bot(bot) as admission;
    end $$`;
