/** Rows looked at in one claim; a lane that fills them is left out of the next one. */
const window = 500;

export interface ClaimTable {
  readonly table: 'deliveries' | 'calls';
  /** Column of the receiver that a hanging attempt must not hold up others at, and its type. */
  readonly lane: string;
  readonly laneType: 'uuid' | 'text';
  /** Column that tells rows of a lane apart. */
  readonly row: string;
}

/**
 * SQL that names what is due as `chosen`, oldest first, at most so many of one lane over all processes, and locks it. No two
 * processes get the same. Two that claim in the same instant do not see each other's leases yet: for that moment a lane may
 * have more. Parameters: now, lanes of this process with its attempts under way, their counts, most per lane, most in all.
 */
export function chooseDueSql({ table, lane, laneType, row }: ClaimTable): string {
  return `here as (
       select lane, count from unnest($2::${laneType}[], $3::int[]) as counted (lane, count)
     ), leased as (
       select ${lane} as lane, count(*)::int as count from ${table}
        where lease_id is not null and next_attempt_at > $1 group by ${lane}
     ), busy as (
       select lane, greatest(coalesce(here.count, 0), coalesce(leased.count, 0)) as count
         from here full join leased using (lane)
     ), due as (
       select ${lane} as lane, ${row} as row, next_attempt_at from ${table}
        where state = 'pending' and next_attempt_at <= $1
          and ${lane} not in (select lane from busy where count >= $4)
        order by next_attempt_at limit ${window} for update skip locked
     ), placed as (
       select due.*, coalesce(busy.count, 0)
              + row_number() over (partition by due.lane order by due.next_attempt_at, due.row) as place
         from due left join busy on busy.lane = due.lane
     ), chosen as (
       select lane, row from placed where place <= $4 order by next_attempt_at limit $5
     )`;
}
