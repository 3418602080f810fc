/**
 * Maximum time that a message waits for the bot's preceding event to be stored for the same receiver: its publisher may
 * have died before it published (5 s), and a receiver that was added meanwhile never gets it.
 */
const missingEventSeconds = 10;
/** Rows that one claim tries to lock; those that another process claims concurrently are skipped. */
const window = 500;

const inOrder = `(t.tries > 0 or t.previous_sequence is null or coalesce(
    (select bool_and(p.state <> 'pending' or p.tries > 0) from deliveries as p
      where p.partition = t.partition and p.bot_id = t.bot_id and p.sequence = t.previous_sequence),
    t.created_at <= $1::timestamptz - interval '${missingEventSeconds} seconds'))`;
const team = `split_part(partition, ' ', 1)`;

/**
 * SQL that selects due deliveries as `chosen` and locks them: limited per partition over all processes, and per team in
 * this process. Teams, and then partitions of a team, with the fewest attempts in progress come first; age decides only
 * among equals, because unresponsive receivers have the oldest deliveries. Receivers whose last attempt failed come after
 * others with as few attempts, and use at most half of the limit of their team. No two processes get the same. Concurrent
 * claims do not see each other's leases, so a partition may briefly exceed its limit. The first attempt of a message
 * follows the first attempt of the bot's preceding event. Parameters: now, partitions with attempts of this process in
 * progress, their counts, limit per partition, total limit, end of the leases, limit per team.
 */
export const chooseDueSql = `recursive pending (partition) as (
       (select partition from deliveries where state = 'pending' order by partition limit 1)
       union all
       -- One step down an index for each partition, however many rows it has.
       select (select t.partition from deliveries as t where t.state = 'pending' and t.partition > pending.partition order by t.partition limit 1)
         from pending where pending.partition is not null
     ), partitions as materialized (
       select partition, ${team} as team, coalesce(failing, false) as failing from pending
        cross join lateral (
          select t.tries > 0 or e.failing_since is not null as failing from deliveries as t join webhook_endpoints as e using (endpoint_id)
           where t.partition = pending.partition and t.state = 'pending' order by t.next_attempt_at limit 1
        ) as oldest
        where partition is not null
     ), here as (
       select partition, count from unnest($2::text[], $3::int[]) as counted (partition, count)
     ), of_team as (
       select split_part(here.partition, ' ', 1) as team, sum(count)::int as count, coalesce(sum(count) filter (where failing), 0)::int as failing
         from here left join partitions using (partition) group by 1
     ), leased as (
       select partition, count(*)::int as count from deliveries
        where lease_id is not null and next_attempt_at > $1 group by partition
     ), busy as (
       select partition, greatest(coalesce(here.count, 0), coalesce(leased.count, 0)) as count
         from here full join leased using (partition)
     ), placed as (
       select partitions.partition, partitions.team, partitions.failing, oldest.row, oldest.next_attempt_at, coalesce(busy.count, 0)
              + row_number() over (partition by partitions.partition order by oldest.next_attempt_at, oldest.row) as place
         from partitions left join busy on busy.partition = partitions.partition
        cross join lateral (
          select t.delivery_id as row, t.next_attempt_at from deliveries as t
           where t.partition = partitions.partition and t.state = 'pending' and t.next_attempt_at <= $1 and ${inOrder}
           order by t.next_attempt_at limit greatest(0, $4 - coalesce(busy.count, 0))
        ) as oldest
     ), ranked as (
       select partition, row, next_attempt_at, coalesce(of_team.count, 0)
              + row_number() over (partition by team order by place, placed.failing, next_attempt_at, row) as rank,
              case when placed.failing then coalesce(of_team.failing, 0)
              + row_number() over (partition by team, placed.failing order by place, next_attempt_at, row) else 0 end as failing_rank
         from placed left join of_team using (team)
     ), candidates as materialized (
       select * from ranked where rank <= $7 and failing_rank <= ($7 + 1) / 2 order by rank, next_attempt_at limit ${window}
     ), chosen as (
       select candidates.partition, candidates.row
         from candidates join deliveries as t on t.partition = candidates.partition and t.delivery_id = candidates.row
        where t.state = 'pending' and t.next_attempt_at <= $1
        order by rank, candidates.next_attempt_at limit $5 for update of t skip locked
     )`;
