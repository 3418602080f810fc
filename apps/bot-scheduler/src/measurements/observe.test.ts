import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerReport } from '@rapporteur/contracts';
import { createMetrics } from '@rapporteur/service-runtime';
import type { Metrics } from '@rapporteur/service-runtime';
import { schedulerMetrics } from '../metrics.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { CommittedMove } from '../schema/context.ts';
import { observeMoves, observeReports } from './observe.ts';

const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1_000);
const bot = (changes: Partial<BotRow>): BotRow =>
  ({
    meeting_platform: 'meet',
    created_at: at(0),
    join_at: null,
    phase: 'queued',
    phase_since: at(0),
    ...changes,
  }) as BotRow;

let metrics: Metrics;
let counters: SchedulerCounters;
beforeEach(() => {
  metrics = createMetrics('bot-scheduler');
  counters = metrics.declare(schedulerMetrics);
});
const exposed = async (name: string): Promise<string[]> =>
  (await metrics.render()).text
    .split('\n')
    .filter((line) => line.startsWith(name) && !line.includes('_bucket'))
    .map((line) => line.replace(/,?component="bot-scheduler",?/, ''));

const move = (from: Partial<BotRow>, to: Partial<BotRow>, rest: Partial<CommittedMove> = {}): CommittedMove => ({
  from: bot(from),
  to: bot({ ...from, ...to }),
  at: at(30),
  final: null,
  ...rest,
});

describe('a committed move', () => {
  test('measures how long the bot was in the phase that it leaves, and how late it joins', async () => {
    const observe = observeMoves(counters);
    observe(move({}, { phase: 'joining' }));
    observe(move({ join_at: at(28) }, { phase: 'joining' }));
    observe(move({ phase: 'joining', phase_since: at(25) }, { phase: 'waiting' }));
    expect(await exposed('rapporteur_bot_phase_duration_seconds')).toEqual([
      'rapporteur_bot_phase_duration_seconds_sum{phase="queued",platform="meet"} 60',
      'rapporteur_bot_phase_duration_seconds_count{phase="queued",platform="meet"} 2',
      'rapporteur_bot_phase_duration_seconds_sum{phase="joining",platform="meet"} 5',
      'rapporteur_bot_phase_duration_seconds_count{phase="joining",platform="meet"} 1',
    ]);
    expect(await exposed('rapporteur_bot_join_lateness_seconds_sum')).toEqual([
      'rapporteur_bot_join_lateness_seconds_sum{start="immediate",platform="meet"} 30',
      'rapporteur_bot_join_lateness_seconds_sum{start="scheduled",platform="meet"} 2',
    ]);
  });

  test('counts the end once, and a new status of the same phase as no phase', async () => {
    const observe = observeMoves(counters);
    observe(move({ status: 'queued' }, { status: 'pickup_delayed' }));
    const final = { outcome: 'failed', code: 'CANNOT_JOIN_MEETING', message: '' } as const;
    observe(move({ phase: 'joining' }, { phase: 'failed' }, { final }));
    expect(await exposed('rapporteur_bots_ended_total')).toEqual([
      'rapporteur_bots_ended_total{platform="meet",code="CANNOT_JOIN_MEETING",outcome="failed"} 1',
    ]);
    expect(await exposed('rapporteur_bot_phase_duration_seconds_count')).toHaveLength(1);
  });
});

describe('a report that was applied', () => {
  const resourceUsage = { cpuMs: 90_000, peakMemoryBytes: 1, uploadedBytes: 5_000 };
  const ended = (recorded: boolean): RunnerReport =>
    ({ kind: 'attendance-ended', end: { recorded }, resourceUsage }) as RunnerReport;
  const stored = {
    kind: 'recording-stored',
    durationMs: 60_000,
    resourceUsage,
    quality: { gapMs: 1_500, strategySwitches: [{ media: 'video', reason: 'no_frames' }] },
  } as RunnerReport;

  test('counts bots that ended on a page that was not recognised, and no others', async () => {
    const observe = observeReports(counters);
    const end = (code: string, endRule?: string, joinedAt: string | null = null): RunnerReport =>
      ({ kind: 'attendance-ended', end: { code, joinedAt, recorded: false }, endRule }) as RunnerReport;
    observe(end('TIMEOUT_WAITING_TO_START', 'waiting-not-recognised'), bot({}));
    observe(end('BOT_NOT_ACCEPTED', 'refused-kind'), bot({}));
    observe(end('CANNOT_JOIN_MEETING'), bot({}));
    observe(end('CANNOT_JOIN_MEETING', 'not-found-text'), bot({}));
    observe(end('TIMEOUT_WAITING_TO_START', 'lobby-text'), bot({}));
    observe(end('INTERNAL_ERROR', undefined, '2026-11-26T07:00:00.000Z'), bot({}));
    expect(await exposed('rapporteur_bots_ended_unrecognised_total')).toEqual(
      ['waiting', 'refused', 'unusable'].map(
        (kind) => `rapporteur_bots_ended_unrecognised_total{platform="meet",kind="${kind}"} 1`,
      ),
    );
  });

  test('counts resources once per bot, and what the recording lacks', async () => {
    const observe = observeReports(counters);
    observe(ended(true), bot({}));
    observe(stored, bot({}));
    observe(ended(false), bot({ meeting_platform: 'teams' }));
    expect(await exposed('rapporteur_bot_cpu_seconds_total')).toEqual([
      'rapporteur_bot_cpu_seconds_total{platform="meet"} 90',
      'rapporteur_bot_cpu_seconds_total{platform="teams"} 90',
    ]);
    expect(await exposed('rapporteur_lost_media_seconds_total')).toEqual([
      'rapporteur_lost_media_seconds_total{platform="meet"} 1.5',
    ]);
    expect(await exposed('rapporteur_capture_strategy_switches_total')).toEqual([
      'rapporteur_capture_strategy_switches_total{platform="meet",media="video",reason="no_frames"} 1',
    ]);
  });
});
