import { KeyedMutex } from '@rapporteur/async';
import { runnerSubjects } from '@rapporteur/contracts';
import type { RunnerReport } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Logger } from '@rapporteur/service-runtime';
import type { SchedulerCounters } from '../metrics.ts';
import { applyReport, readReport, skipReport } from './apply-report.ts';
import type { ReadReport, ReportOutcome, ReportDependencies } from './apply-report.ts';

/** The part of the bus used here. */
export interface ReportSource {
  consume(options: {
    readonly consumer: string;
    readonly subject: string;
    readonly handle: (message: unknown, facts: { readonly subject: string }) => Promise<void>;
    readonly concurrency?: number;
  }): Promise<{ stop(): Promise<void> }>;
  notify(subject: string): void;
}

export interface ReportConsumerDependencies extends ReportDependencies {
  readonly bus: ReportSource;
  readonly logger: Logger;
  readonly counters: Pick<SchedulerCounters, 'reports'>;
  readonly concurrency?: number;
}

/** Applies reports as they arrive: sequentially per bot, concurrently across bots. */
export async function consumeReports(dependencies: ReportConsumerDependencies): Promise<{ stop(): Promise<void> }> {
  const reports = new KeyedMutex();
  return dependencies.bus.consume({
    consumer: 'bot-scheduler',
    subject: runnerSubjects.report('*'),
    concurrency: dependencies.concurrency ?? 8,
    handle: async (message, { subject }) => {
      const read = readOrPutAside(message, subject);
      const outcome = await reports.run(read.report.botId, () =>
        read.kind === 'report'
          ? applyReport(dependencies, read.report)
          : skipReport(dependencies, read.report, read.error),
      );
      noteOutcome(dependencies, read, outcome);
    },
  });
}

function readOrPutAside(message: unknown, subject: string): ReadReport {
  try {
    const read = readReport(message);
    const { report } = read;
    // The runner's credential authorizes the subject; the body is untrusted.
    if (runnerSubjects.report(report.botId) !== subject)
      throw new Error(`A report of bot ${report.botId} arrived on ${subject}.`);
    return read;
  } catch (error) {
    throw fail('VALIDATION', { message: 'A report is not of the agreed form.', cause: error });
  }
}

const waitedFor: ReadonlySet<RunnerReport['kind'] | 'unreadable'> = new Set([
  'attendance-ended',
  'recording-stored',
  'recording-lost',
  'unreadable',
]);

/** Whether the run starts to record: a run that it replaces leaves now. */
function isRecording(read: ReadReport): boolean {
  return read.kind === 'report' && read.report.kind === 'status' && read.report.code === 'in_call_recording';
}

function noteOutcome(
  { bus, logger, counters }: ReportConsumerDependencies,
  read: ReadReport,
  outcome: ReportOutcome,
): void {
  const { botId, attempt, sequence } = read.report;
  const kind = read.kind === 'report' ? read.report.kind : read.kind;
  const facts = { botId, attempt, sequence, report: kind, outcome: outcome.kind };
  counters.reports.inc({ outcome: outcome.kind });
  switch (outcome.kind) {
    case 'applied':
      logApplied(logger, { ...facts, teamId: outcome.teamId }, outcome);
      // Notifies a runner that waits for this report, instead of at its next renewal.
      if (waitedFor.has(kind) || isRecording(read)) bus.notify(runnerSubjects.notification(botId));
      return;
    case 'unstorable':
      logger.error(
        { ...facts, teamId: outcome.teamId, err: outcome.error },
        'A report was dropped: it cannot be read, or the database refuses its content. The bot continues without it; please report this.',
      );
      if (waitedFor.has(kind)) bus.notify(runnerSubjects.notification(botId));
      return;
    case 'gap':
      // On its next renewal the runner resends from the first missing report.
      bus.notify(runnerSubjects.notification(botId));
      logger.info(facts, 'A report arrived before an earlier one; the runner sends both again.');
      return;
    case 'fenced':
    case 'unknown':
      logger.warn(facts, 'A report was ignored: its runner does not hold the lease of this bot.');
      return;
    case 'duplicate':
      return;
  }
}

function logApplied(
  logger: Logger,
  facts: object,
  { refusal, final }: Extract<ReportOutcome, { kind: 'applied' }>,
): void {
  if (refusal !== null) logger.warn({ ...facts, refusal }, 'A report changed nothing: the lifecycle refuses the move.');
  if (final !== null)
    logger.info(
      { ...facts, ended: final.outcome, code: final.code },
      `A bot has ended: ${final.outcome}, ${final.code}.`,
    );
}
