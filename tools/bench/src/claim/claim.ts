import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import { treeCpuMsOf } from '../measure/cpu.ts';
import { machine } from '../measure/figures.ts';

const deadlineMs = 120_000;
const scheduled = {
  bot_name: 'Scheduled',
  meeting_url: 'https://meet.google.com/abc-defg-hij',
  extra: { customer_id: 'c-1' },
};

/** Measures how long the scheduler takes to queue bots that are all due in the same second. */
export async function measureClaim({ bots, say }: { bots: number; say: (text: string) => void }): Promise<void> {
  say(machine());
  const stack = await startServiceStack({ gateways: 1, say });
  const operator = await Operator.open(stack);
  try {
    await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
    const team = await operator.addTeam('bench', { plan: 'bench-wide', tokens: 3_600_000_000 });
    const joinAt = new Date(Date.now() + 86_400_000).toISOString();
    const first = await operator.scheduleBot(team.keys.full, { ...scheduled, join_at: joinAt });
    const pids = stack.pids();
    const cpu = (): number =>
      ['bot-scheduler', 'postgres'].reduce((sum, name) => sum + treeCpuMsOf(pids.get(name) ?? 0), 0);
    const before = cpu();
    const startedAt = performance.now();
    await operator.repeatRow('scheduled_bots', first, {
      count: bots,
      values: { join_at: `now() + interval '1 second'` },
    });
    const insertedMs = performance.now() - startedAt;
    const span = await untilClaimed(operator, team.id, bots);
    const busy = cpu() - before;
    say(`${bots} scheduled bots due at once: from the first queued to the last ${span.toFixed(0)} ms`);
    say(
      `CPU of scheduler and PostgreSQL, writing the rows included (${insertedMs.toFixed(0)} ms): ${busy} ms, ${(busy / bots).toFixed(2)} ms per bot`,
    );
    say(machine());
  } finally {
    await operator.close();
    await stack.stop();
  }
}

/** Milliseconds from the first of them to the last, by the history rows they got. */
async function untilClaimed(operator: Operator, teamId: string, bots: number): Promise<number> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const [found] = await operator.query<{ queued: string; span_ms: string | null }>(
      `select count(*) as queued, extract(epoch from max(admitted_at) - min(admitted_at)) * 1000 as span_ms
         from bots.bots where team_id = $1`,
      [teamId],
    );
    if (Number(found?.queued) >= bots) return Number(found?.span_ms);
    if (Date.now() > deadline) throw new Error(`${found?.queued} of ${bots} were queued within ${deadlineMs} ms.`);
    await sleep(50);
  }
}
