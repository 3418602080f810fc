import * as z from 'zod';

/** Which requests a fault affects. */
export const faultPlaces = ['token', 'calendars', 'list', 'read', 'watch', 'renew', 'stop'] as const;

export const calendarFaultSchema = z.strictObject({
  at: z.enum(faultPlaces),
  /** Status of the response; omitted: the usual response, delayed. */
  status: z
    .union([z.literal(400), z.literal(404), z.literal(410), z.literal(429), z.literal(500), z.literal(503)])
    .optional(),
  /** A successful response of a form that no client expects. */
  unknownForm: z.boolean().default(false),
  /** The connection is closed without a response. */
  hangUp: z.boolean().default(false),
  /** This many requests at the place pass before it strikes. */
  after: z.int().min(0).max(1_000).default(0),
  times: z.int().min(1).max(10_000).default(1),
  delayMs: z.int().min(0).max(60_000).default(0),
  retryAfterSeconds: z.int().min(0).max(3_600).default(1),
});
export type CalendarFault = z.infer<typeof calendarFaultSchema>;
export type FaultPlace = CalendarFault['at'];

/** Pending faults, in the order of their creation. */
export class RequestFaults {
  #waiting: (CalendarFault & { left: number; passing: number })[] = [];

  strike(fault: CalendarFault): void {
    this.#waiting.push({ ...fault, left: fault.times, passing: fault.after });
  }

  heal(): void {
    this.#waiting = [];
  }

  take(at: FaultPlace): CalendarFault | null {
    const fault = this.#waiting.find((one) => one.at === at);
    if (fault === undefined) return null;
    if (fault.passing > 0) {
      fault.passing -= 1;
      return null;
    }
    fault.left -= 1;
    if (fault.left === 0) this.#waiting = this.#waiting.filter((one) => one !== fault);
    return fault;
  }
}

/** Requests that one account may make in a period; above it the provider refuses. */
export class Quota {
  readonly #now: () => number;
  #limit: { readonly requests: number; readonly perMs: number } | null = null;
  readonly #counted = new Map<string, { sinceMs: number; count: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  set(limit: { requests: number; perMs: number } | null): void {
    this.#limit = limit;
    this.#counted.clear();
  }

  /** False when the account has used up its quota. */
  admit(email: string): boolean {
    if (this.#limit === null) return true;
    const now = this.#now();
    const counted = this.#counted.get(email);
    if (counted === undefined || now - counted.sinceMs >= this.#limit.perMs) {
      this.#counted.set(email, { sinceMs: now, count: 1 });
      return this.#limit.requests >= 1;
    }
    counted.count += 1;
    return counted.count <= this.#limit.requests;
  }
}
