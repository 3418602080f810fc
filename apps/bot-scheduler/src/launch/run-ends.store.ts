import type { RunExit } from '@rapporteur/bot-lifecycle';
import { withStorableText } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { RunEvidence } from './launcher.ts';

export interface RunEnd {
  readonly botId: string;
  readonly attempt: number;
  readonly exit: RunExit | null;
  /** Null: its end was not observed. */
  readonly endedAtMs: number | null;
  readonly evidence: RunEvidence | null;
}

/** Records how runs ended. The first record of an end is kept; ends without a lease are skipped. */
export async function writeRunEnds(executor: Executor, ends: readonly RunEnd[], at: Date): Promise<void> {
  if (ends.length === 0) return;
  const rows = ends.map(({ botId, attempt, exit, endedAtMs, evidence }) => ({
    bot_id: botId,
    attempt,
    cause: exit?.cause ?? null,
    exit_code: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    ended_at: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
    status: evidence?.status ?? null,
    last_log_lines: evidence?.lastLogLines ?? [],
  }));
  await executor.query(
    `insert into run_ends (bot_id, attempt, cause, exit_code, signal, ended_at, written_at, status, last_log_lines)
     select run.bot_id, run.attempt, cause, exit_code, signal, run.ended_at, $2, run.status, last_log_lines
     from jsonb_to_recordset($1::jsonb) as run(bot_id uuid, attempt integer, cause text, exit_code integer, signal text,
       ended_at timestamptz, status jsonb, last_log_lines jsonb)
     join leases on leases.bot_id = run.bot_id and leases.attempt = run.attempt
     on conflict (bot_id, attempt) do nothing`,
    [JSON.stringify(withStorableText(rows)), at],
  );
}
