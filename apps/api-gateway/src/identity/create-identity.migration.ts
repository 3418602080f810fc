import { baseline } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const plans = `
  insert into plans (name, requests_per_second, daily_bot_cap, retention_days) values
    ('pay_as_you_go', 5, 75, 3),
    ('pro', 10, 300, 7),
    ('scale', 20, 1000, 14),
    ('enterprise', 20, 3000, 30),
    ('self_hosted', 50, 3000, 30)
`;

/** Worth nothing after a crash, so they cost no write-ahead log. */
const limits = `
  alter table rate_windows set unlogged;
  alter table rate_windows set (fillfactor = 50);
  alter table deletion_windows set unlogged;
`;

/** A function, because PostgreSQL caches its plan; planning costs far more than the decision. */
const rateDecision = `
  create function admit_request(team uuid, most integer, of_reads boolean, out admitted boolean, out remaining integer)
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
    select * into seen from rate_windows where team_id = team and reads = of_reads for update;
    if not found then
      insert into rate_windows values (team, of_reads, size, 0, '{}') on conflict do nothing;
      select * into seen from rate_windows where team_id = team and reads = of_reads for update;
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
     where team_id = team and reads = of_reads;
  end $$
`;

export const createIdentity = baseline('CreateIdentity20261121000000', plans, limits, rateDecision, outboxTablesSql);
