import * as z from 'zod';
import type { Clock } from '../clock.ts';

/** Events of a browser's session that can trigger planned actions. */
export const sessionEvents = ['opened', 'requested', 'admitted'] as const;
export type SessionEvent = (typeof sessionEvents)[number];

const whenSchema = z
  .looseObject({
    /** Seconds after the room began. */
    atSecond: z.number().min(0).max(86_400).optional(),
    /** Or: this many seconds after the first browser reaches the event. */
    on: z.enum(sessionEvents).optional(),
    afterSeconds: z.number().min(0).max(3_600).default(0),
  })
  .refine(({ atSecond, on }) => (atSecond === undefined) !== (on === undefined), {
    path: ['atSecond'],
    message: 'says when, or "on" does: give exactly one of them',
  });

export type Planned<T> = { atSecond: number | undefined; on: SessionEvent | undefined; afterSeconds: number; what: T };

/** `{ atSecond | on, afterSeconds?, ...what }`: something and when it happens. */
export function plannedSchema<T>(whatSchema: z.ZodType<T>) {
  return whenSchema.transform(({ atSecond, on, afterSeconds, ...rest }, context): Planned<T> => {
    const what = whatSchema.safeParse(rest);
    if (what.success) return { atSecond, on, afterSeconds, what: what.data };
    for (const { path, message } of what.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
}

/** Runs planned actions at their time, each once per room. */
export class Timetable<T> {
  readonly #clock: Clock;
  readonly #run: (what: T) => void;
  readonly #waiting: { on: SessionEvent; afterSeconds: number; what: T }[] = [];
  readonly #cancels: (() => void)[] = [];

  constructor(clock: Clock, planned: readonly Planned<T>[], run: (what: T) => void) {
    this.#clock = clock;
    this.#run = run;
    for (const { atSecond, on, afterSeconds, what } of planned) {
      if (on !== undefined) this.#waiting.push({ on, afterSeconds, what });
      else this.#plan((atSecond ?? 0) + afterSeconds, what);
    }
  }

  /** A browser reached this event. */
  reached(moment: SessionEvent): void {
    for (const waiting of this.#waiting.filter(({ on }) => on === moment)) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#plan(waiting.afterSeconds, waiting.what);
    }
  }

  /** Stops all planned actions; may be called twice. */
  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel();
    this.#waiting.length = 0;
  }

  #plan(inSeconds: number, what: T): void {
    this.#cancels.push(this.#clock.after(inSeconds * 1000, () => this.#run(what)));
  }
}
