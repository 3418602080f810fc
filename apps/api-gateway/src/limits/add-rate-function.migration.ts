import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rate decision as a function: PostgreSQL keeps its plan, which costs far more than the decision itself. */
export class AddRateFunction20261121142000 implements MigrationInterface {
  readonly name = 'AddRateFunction20261121142000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
    await runner.query(decision);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const table = `
  drop table rate_windows;
  -- One second of request times per team: worth nothing after a crash, so it costs no write-ahead log.
  create unlogged table rate_windows (
    team_id uuid not null constraint rate_windows_pkey primary key,
    -- Requests are kept in groups of this many, each with the time of its latest, and the newest holds so many.
    group_size integer not null,
    newest_holds integer not null,
    passed bigint[] not null
  ) with (fillfactor = 50);
`;

const decision = `
  create function admit_request(team uuid, most integer, out admitted boolean, out remaining integer)
  language plpgsql as $$
  declare
    seen rate_windows;
    -- 64 groups at most: every single request has its own time up to 64 a second. A group's time is that of its latest
    -- request, so that larger groups can only let in too few, never too many.
    size constant integer := (most + 63) / 64;
    now_micros bigint;
    newest bigint;
    used integer;
  begin
    -- The row lock puts the replicas' requests in order.
    select * into seen from rate_windows where team_id = team for update;
    if not found then
      insert into rate_windows values (team, size, 0, '{}') on conflict do nothing;
      select * into seen from rate_windows where team_id = team for update;
    end if;
    now_micros := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
    newest := seen.passed[cardinality(seen.passed)];
    if newest > now_micros + 1000000 then
      -- The clock was set back: what it said before counts for nothing.
      seen.passed := '{}';
    elsif newest is not null then
      now_micros := greatest(now_micros, newest);
      seen.passed := seen.passed[width_bucket(now_micros - 1000000, seen.passed) + 1:];
    end if;
    used := case when cardinality(seen.passed) = 0 then 0
                 else (cardinality(seen.passed) - 1) * seen.group_size + seen.newest_holds end;
    admitted := used < most;
    remaining := greatest(most - used - 1, 0);
    if not admitted then
      return;
    end if;
    if used > 0 and seen.newest_holds < size then
      seen.passed[cardinality(seen.passed)] := now_micros;
      seen.newest_holds := seen.newest_holds + 1;
    else
      seen.passed := seen.passed || now_micros;
      seen.newest_holds := 1;
    end if;
    update rate_windows set group_size = size, newest_holds = seen.newest_holds, passed = seen.passed
     where team_id = team;
  end $$
`;
