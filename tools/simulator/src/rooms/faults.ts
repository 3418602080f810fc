import * as z from 'zod';
import type { Clock } from '../clock.ts';

const seconds = (otherwise: number) => z.number().min(0.1).max(600).default(otherwise);

const kinds = [
  /** Media and the page's socket are cut; the page shows "Reconnecting". `renewsMedia`: with new tracks afterwards. */
  z.strictObject({
    kind: z.literal('network-loss'),
    seconds: seconds(5),
    renewsMedia: z.boolean().default(false),
    forGood: z.boolean().default(false),
  }),
  /** The page's main thread is blocked. */
  z.strictObject({ kind: z.literal('page-frozen'), seconds: seconds(10) }),
  /** The page reloads: scripts inside it lose their context. */
  z.strictObject({ kind: z.literal('reload') }),
  /** An overlay covers the whole page, until Escape or its button is pressed, or the time is over. */
  z.strictObject({ kind: z.literal('popup'), seconds: seconds(600) }),
  /**
   * A dialog of the call. Another button than `right`, or none in time, puts the guest out; so does the fourth press on
   * one that `stays`. `shadow`: in an open shadow root, with a transparent copy in the page.
   */
  z.strictObject({
    kind: z.literal('dialog'),
    text: z.string().min(1).max(500),
    buttons: z.array(z.string().min(1).max(60)).min(1).max(4),
    right: z.string().max(60),
    stays: z.boolean().default(false),
    shadow: z.boolean().default(false),
    seconds: seconds(10),
  }),
  /** The guest is put back into the waiting room, and is let in again afterwards. */
  z.strictObject({ kind: z.literal('set-aside'), seconds: seconds(12) }),
  /** Requests for the page get 503. */
  z.strictObject({ kind: z.literal('server-error'), seconds: seconds(10) }),
  /** Multiplies the delays of the page by this factor. */
  z.strictObject({ kind: z.literal('slow'), factor: z.number().min(0).max(20).default(5) }),
  z.strictObject({ kind: z.literal('everyone-leaves') }),
  z.strictObject({ kind: z.literal('host-ends') }),
] as const;

export const faultSchema = z.discriminatedUnion('kind', kinds);
export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export const faultKinds: readonly FaultKind[] = kinds.map((kind) => kind.shape.kind.value);

/** The effect of a fault on the meeting itself; all others affect each connected browser. */
export type FaultTargets = { everyoneLeaves(): void; hostEnds(): void; struck(fault: Fault): void };

/** The active faults of one room. */
export class RoomFaults {
  readonly #clock: Clock;
  readonly #targets: FaultTargets;
  readonly #listeners = new Set<(fault: Fault) => void>();
  #lateness: number;
  #refusesUntilMs = -Infinity;

  constructor(options: { clock: Clock; lateness: number; targets: FaultTargets }) {
    this.#clock = options.clock;
    this.#targets = options.targets;
    this.#lateness = options.lateness;
  }

  /** Factor of all delays on the page; 1 is usual. */
  get lateness(): number {
    return this.#lateness;
  }

  /** Requests for the page get 503 now. */
  get refusesOpening(): boolean {
    return this.#clock.now() < this.#refusesUntilMs;
  }

  /** Calls the listener with each fault from now on. Returns a function that removes it. */
  listen(listener: (fault: Fault) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  strike(fault: Fault): void {
    this.#targets.struck(fault);
    if (fault.kind === 'everyone-leaves') this.#targets.everyoneLeaves();
    else if (fault.kind === 'host-ends') this.#targets.hostEnds();
    else if (fault.kind === 'server-error') this.#refusesUntilMs = this.#clock.now() + fault.seconds * 1000;
    else {
      if (fault.kind === 'slow') this.#lateness = fault.factor;
      for (const listener of this.#listeners) listener(fault);
    }
  }
}
