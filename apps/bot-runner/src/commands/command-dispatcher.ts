import { runnerCommand } from '@rapporteur/contracts';
import type { CommandResult, RunnerCommand } from '@rapporteur/contracts';
import { z } from 'zod';
import type { RunContext } from '../run-context.ts';

export type CommandOutcome = Omit<CommandResult, 'id'>;
/** Executes one command. After the signal it has no further effect that participants could see. */
export type CommandPerformer = (command: RunnerCommand, signal: AbortSignal) => Promise<CommandOutcome>;

export interface CommandDispatcherOptions extends Pick<RunContext, 'clock' | 'logger'> {
  /** A result is available: the next lease request should be sent now. */
  readonly onResult: () => void;
  readonly deadlineMs?: number;
}

/** Commands that wait; further ones stay with the scheduler until there is room. */
const mostWaiting = 50;
/** Ids that are never executed again. */
const mostRemembered = 10_000;
/** A performer that ignores its signal is abandoned after this time. */
const abortMs = 500;

const refuseOutsideMeeting: CommandPerformer = async () => ({
  outcome: 'refused',
  message: 'The bot is not in its meeting.',
});

/**
 * Executes the commands of lease replies: each once, one after the other. A result is kept until the scheduler no
 * longer requests it.
 */
export class CommandDispatcher {
  readonly #options: CommandDispatcherOptions;
  readonly #deadlineMs: number;
  readonly #taken = new Set<string>();
  readonly #results = new Map<string, CommandResult>();
  #wanted: ReadonlySet<string> = new Set();
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();
  #performer: CommandPerformer = refuseOutsideMeeting;

  constructor(options: CommandDispatcherOptions) {
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? 8_000;
  }

  /** For the next lease request. */
  get results(): readonly CommandResult[] {
    return [...this.#results.values()];
  }

  /** The performer of commands from now on; null: the bot is not in a meeting. */
  serve(performer: CommandPerformer | null): void {
    this.#performer = performer ?? refuseOutsideMeeting;
  }

  /** All commands of a lease reply, oldest first. */
  take(commands: readonly unknown[]): void {
    const named = commands.flatMap((command) => namedCommand.safeParse(command).data ?? []);
    this.#wanted = new Set(named.map(({ id }) => id));
    for (const id of this.#results.keys()) if (!this.#wanted.has(id)) this.#results.delete(id);
    for (const { id, ...rest } of named) {
      if (this.#taken.has(id) || this.#waiting >= mostWaiting) continue;
      this.#remember(id);
      const takenAtMs = this.#options.clock.monotonic();
      const { data: command } = runnerCommand.safeParse({ id, ...rest });
      if (command === undefined) {
        this.#settle(id, { outcome: 'failed', message: 'This version of the bot does not support this command.' });
        continue;
      }
      this.#waiting += 1;
      this.#work = this.#work.then(() => this.#do(command, takenAtMs)).finally(() => (this.#waiting -= 1));
    }
  }

  async #do(command: RunnerCommand, takenAtMs: number): Promise<void> {
    // The scheduler no longer requests its result.
    if (!this.#wanted.has(command.id)) return;
    const { clock, logger } = this.#options;
    const leftMs = takenAtMs + this.#deadlineMs - clock.monotonic();
    const startedAtMs = clock.monotonic();
    const outcome: CommandOutcome =
      leftMs <= 0
        ? { outcome: 'failed', message: 'The bot was busy with earlier commands for too long.' }
        : await this.#perform(command, leftMs);
    this.#settle(command.id, outcome);
    logger.info(
      { command: command.kind, commandId: command.id, ...outcome, tookMs: clock.monotonic() - startedAtMs },
      `Command ${command.kind}: ${outcome.outcome}.`,
    );
  }

  async #perform(command: RunnerCommand, leftMs: number): Promise<CommandOutcome> {
    const { clock, logger } = this.#options;
    const deadline = new AbortController();
    const done = new AbortController();
    const late = clock.sleep(leftMs, done.signal).then(async () => {
      deadline.abort(new Error('The command took too long.'));
      await clock.sleep(abortMs, done.signal);
      return { outcome: 'failed', message: 'The meeting page took too long, so it may or may not be done.' } as const;
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([this.#performer(command, deadline.signal), late]);
    } catch (error) {
      logger.error({ err: error, command: command.kind }, 'A command failed unexpectedly.');
      return { outcome: 'failed', message: 'An internal error occurred while the bot carried out the command.' };
    } finally {
      done.abort();
    }
  }

  #settle(id: string, outcome: CommandOutcome): void {
    this.#results.set(id, { id, ...outcome });
    this.#options.onResult();
  }

  #remember(id: string): void {
    this.#taken.add(id);
    const [oldest] = this.#taken;
    if (this.#taken.size > mostRemembered && oldest !== undefined) this.#taken.delete(oldest);
  }
}

const namedCommand = z.looseObject({ id: z.uuid() });
