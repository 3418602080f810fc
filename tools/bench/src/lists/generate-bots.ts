import type { Operator } from '@rapporteur/api-fuzz';

/** Columns as functions of `n`, the number of a bot. One every 30 seconds up to now; they end out of order. */
const columns: Readonly<Record<string, string>> = {
  created_at: `now() - (total - n) * interval '30 seconds'`,
  admitted_at: `now() - (total - n) * interval '30 seconds'`,
  bot_name: `'Customer ' || n * 7919 % 10007 || ' weekly ' || n`,
  meeting_url: `'https://meet.google.com/' || code`,
  canonical_url: `'https://meet.google.com/' || code`,
  join_url: `'https://meet.google.com/' || code`,
  meeting_id: 'code',
  phase: `case when n % 97 = 0 then 'failed' else 'completed' end`,
  status: `case when n % 97 = 0 then 'failed' else 'completed' end`,
  joined_at: `now() - (total - n) * interval '30 seconds'`,
  ended_at: `now() - (total - n) * interval '30 seconds' + random() * interval '1 hour'`,
  duration_ms: '1800000',
  participants: `jsonb_build_array(jsonb_build_object('id', 1, 'name', 'Ada ' || n % 5003))`,
  speakers: `jsonb_build_array(jsonb_build_object('id', 1, 'name', 'Ada ' || n % 5003))`,
  extra: `jsonb_build_object('customer', 'c-' || n * 104729 % 10000, 'region', (array['eu', 'us', 'asia', 'africa'])[1 + n % 4],
            'rank', n * 15485863 % 1000003)
          || case when n % 7 = 0 then '{"seen": true}'::jsonb else '{}'::jsonb end`,
  team_number: 'n + 1',
};
const code = `translate(substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 4) || '-' || substr(md5(n::text), 8, 3),
  '0123456789', 'ghijklmnop')`;
const rowsAtOnce = 50_000;

/** Writes so many ended bots of a team, copies of one that was created and ended through the API. */
export async function generateBots(
  operator: Operator,
  { pattern, count, say }: { pattern: string; count: number; say: (text: string) => void },
): Promise<void> {
  // Built once over all rows, an inverted index costs a fraction of a million additions to it.
  const inverted = await operator.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where schemaname = 'bots' and indexdef like '% USING gin %'`,
  );
  for (const { name } of inverted) await operator.query(`drop index bots.${name}`);
  for (let from = 0; from < count; from += rowsAtOnce) {
    const values = Object.fromEntries(
      Object.entries(columns).map(([name, sql]) => [
        name,
        sql
          .replaceAll(/\bcode\b/g, code)
          .replaceAll(/\bn\b/g, `(n + ${from})::bigint`)
          .replaceAll('total', String(count + 1)),
      ]),
    );
    await operator.repeatRow('bots', pattern, { count: Math.min(rowsAtOnce, count - from), values });
    say(`${Math.min(count, from + rowsAtOnce)} bots written`);
  }
  for (const { definition } of inverted) await operator.query(definition);
  await operator.query('vacuum analyze bots.bots');
}
