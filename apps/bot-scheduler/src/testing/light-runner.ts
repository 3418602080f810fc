// A runner without a browser and without a process: ticket, lease and reports are those of the real one. Thousands run
// in one process, over one connection to the bus.
import { randomUUID } from 'node:crypto';
import { botInvocation, internalRoutes, leaseReply, runnerSubjects } from '@rapporteur/contracts';
import type { BotInvocation, LeaseReply, RunnerReport } from '@rapporteur/contracts';
import type { Bus } from '@rapporteur/event-bus';
import { setImmediate } from 'node:timers/promises';
import { backoffMs } from '@rapporteur/async';
import { systemClock } from '@rapporteur/service-runtime';

/** One attendance, as the meeting recorded it. Epoch ms. */
export interface Attendance {
  readonly botId: string;
  readonly attempt: number;
  /** Null: it joined at once. */
  readonly joinAtMs: number | null;
  readonly joinedAtMs: number;
  /** Null: it is in the meeting. */
  leftAtMs: number | null;
}

export interface LightRun {
  readonly environment: Readonly<Record<string, string>>;
  /** Like SIGKILL: nothing is sent afterwards. */
  readonly killed: AbortSignal;
  /** Like SIGTERM. */
  readonly terminated: AbortSignal;
}

type Body<R> = R extends RunnerReport ? Omit<R, 'botId' | 'attempt' | 'fencing' | 'sequence' | 'at'> : never;

const redeemWithinMs = 120_000;
const retryMs = 500;
const noticeMs = 2_500;
const resendPauses = { firstMs: 4_000, longestMs: 30_000 };
export const exitCodes = { done: 0, fenced: 3, interrupted: 143, killed: 137 } as const;

/** Runs bots of one deployment; `attendances` is the record of all meetings. */
export class LightRunners {
  readonly attendances: Attendance[] = [];
  readonly #connect: (url: string) => Promise<Bus>;
  #bus: Promise<Bus> | null = null;

  constructor(connect: (url: string) => Promise<Bus>) {
    this.#connect = connect;
  }

  async close(): Promise<void> {
    await (await this.#bus)?.close();
  }

  /** @returns the exit code */
  async run({ environment, killed, terminated }: LightRun): Promise<number> {
    try {
      const invocation = await redeem(environment, killed);
      if (invocation === null) return exitCodes.fenced;
      const bus = await this.#connectOnce(invocation.bus.url);
      const link = new Link(bus, invocation, killed);
      const renewing = link.renewUntilStopped();
      const notified = bus.onNotification(runnerSubjects.notification(invocation.botId), () => link.renewSoon());
      try {
        return await this.#work(invocation, link, { killed, terminated });
      } finally {
        link.stop();
        await notified.stop();
        await renewing;
      }
    } catch (error) {
      if (killed.aborted) return exitCodes.killed;
      throw error;
    }
  }

  /** After a failure the next runner connects again. */
  #connectOnce(url: string): Promise<Bus> {
    this.#bus ??= this.#connect(url).catch((error: unknown) => {
      this.#bus = null;
      throw error;
    });
    return this.#bus;
  }

  async #work(invocation: BotInvocation, link: Link, signals: Omit<LightRun, 'environment'>): Promise<number> {
    if (invocation.mode === 'finalize') {
      link.report(stored(invocation));
      await link.applied();
      return exitCodes.done;
    }
    const { joinAt, botId, attempt } = invocation;
    const joinAtMs = joinAt === null ? null : Date.parse(joinAt);
    await systemClock.sleep(Math.max(0, (joinAtMs ?? 0) - Date.now()), signals.killed);
    const attendance: Attendance = { botId, attempt, joinAtMs, joinedAtMs: Date.now(), leftAtMs: null };
    this.attendances.push(attendance);
    // Yields, so that bots which join now are not delayed by this one's reports.
    await setImmediate();
    try {
      link.report({ kind: 'status', code: 'joining_call' });
      link.report({ kind: 'status', code: 'in_call_not_recording' });
      link.report({ kind: 'status', code: 'in_call_recording', startTime: Math.floor(Date.now() / 1_000) });
      const why = await link.instructedToEnd(signals.terminated);
      if (why === 'fenced') return exitCodes.fenced;
      if (why === 'replaced') return exitCodes.interrupted;
      const joinedAt = new Date(attendance.joinedAtMs).toISOString();
      const exitedAt = new Date().toISOString();
      link.report({ kind: 'attendance-ended', end: { code: why, message: '', joinedAt, exitedAt, recorded: true } });
    } finally {
      attendance.leftAtMs = Date.now();
    }
    link.report(stored(invocation));
    await link.applied();
    return signals.terminated.aborted ? exitCodes.interrupted : exitCodes.done;
  }
}

function stored({ botId, attempt }: BotInvocation): Body<RunnerReport> {
  const artifact = {
    kind: 'video' as const,
    key: `artifacts/${attempt}/video.mp4`,
    bytes: 1,
    contentType: 'video/mp4',
  };
  const artifacts = [{ ...artifact, sha256: botId }];
  return { kind: 'recording-stored', artifacts, durationMs: 1_000, participants: [], speakers: [] };
}

/** Null: the ticket is no longer valid. */
async function redeem(environment: LightRun['environment'], killed: AbortSignal): Promise<BotInvocation | null> {
  const url = `${environment['RAPPORTEUR_SCHEDULER_URL']}${internalRoutes.redeemTicket}`;
  const body = JSON.stringify({ ticket: environment['RAPPORTEUR_LAUNCH_TICKET'], runner: randomUUID() });
  const headers = { 'content-type': 'application/json' };
  for (const lateMs = Date.now() + redeemWithinMs; Date.now() < lateMs; await systemClock.sleep(retryMs, killed)) {
    const signal = AbortSignal.any([killed, AbortSignal.timeout(10_000)]);
    const invocation = await fetch(url, { method: 'POST', headers, body, signal })
      .then(async (response) => {
        if (response.ok) return (await response.json()) as unknown;
        await response.body?.cancel();
        return response.status === 410 ? null : undefined;
      })
      // No response, or an incomplete one.
      .catch(() => undefined);
    if (invocation === null) return null;
    if (invocation !== undefined) return botInvocation.parse(invocation);
  }
  return null;
}

/** Lease and reports of one run. */
class Link {
  readonly #bus: Bus;
  readonly #invocation: BotInvocation;
  readonly #killed: AbortSignal;
  readonly #sent: { readonly report: RunnerReport; sentAtMs: number; sends: number }[] = [];
  #stopped = false;
  /** Null while the lease is being renewed. */
  #endPause: (() => void) | null = null;
  /** The next renewal follows without a pause. */
  #isUrgent = false;
  #changed = Promise.withResolvers<void>();
  #last: LeaseReply = { held: true, appliedSequence: 0, leaveRequested: false, commands: [] };
  #renewedAtMs = Date.now();

  constructor(bus: Bus, invocation: BotInvocation, killed: AbortSignal) {
    this.#bus = bus;
    this.#invocation = invocation;
    this.#killed = killed;
    killed.addEventListener('abort', () => this.#wake(), { once: true });
  }

  report(body: Body<RunnerReport>): void {
    const { botId, attempt, fencing } = this.#invocation;
    const sequence = this.#sent.length + 1;
    const report = { ...body, botId, attempt, fencing, sequence, at: new Date().toISOString() } as RunnerReport;
    this.#sent.push({ report, sentAtMs: Date.now(), sends: 1 });
    this.#publish(report);
  }

  #publish(report: RunnerReport): void {
    // A lost result is sent again with the next renewal.
    if (!this.#killed.aborted)
      void this.#bus.publish(runnerSubjects.report(report.botId), report).catch(() => undefined);
  }

  async renewUntilStopped(): Promise<void> {
    while (!this.#stopped && !this.#killed.aborted) {
      this.#isUrgent = false;
      await this.#renew().catch(() => undefined);
      this.#announce();
      await this.#pause(this.#invocation.lease.renewEveryMs);
    }
  }

  renewSoon(): void {
    this.#isUrgent = true;
    this.#endPause?.();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isUrgent || this.#stopped || this.#killed.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        this.#endPause = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#endPause = end;
    });
  }

  #wake(): void {
    this.#endPause?.();
    this.#announce();
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Resolves after the next renewal or signal. Not by polling: thousands wait at the same time. */
  async #nextChange(): Promise<void> {
    this.#killed.throwIfAborted();
    await this.#changed.promise;
    this.#killed.throwIfAborted();
  }

  async #renew(): Promise<void> {
    const { botId, attempt, fencing, lease } = this.#invocation;
    const request = { botId, attempt, fencing, results: [] };
    const { lease: one, leaseOfAny: any } = runnerSubjects;
    const reply = await this.#bus
      .request(one(botId), request, { timeoutMs: 1_000 })
      .catch(() => this.#bus.request(any(botId), request, { timeoutMs: 2_000 }))
      .catch(() => null);
    if (reply !== null) {
      this.#last = leaseReply.parse(reply);
      this.#renewedAtMs = Date.now();
    } else if (Date.now() - this.#renewedAtMs > lease.lostAfterMs) this.#last = { ...this.#last, held: false };
    this.#resend();
  }

  /** Reports that are not applied in time, as the real runner does. */
  #resend(): void {
    const now = Date.now();
    for (const entry of this.#sent) {
      const pauseMs = backoffMs(entry.sends, resendPauses);
      if (entry.report.sequence <= this.#last.appliedSequence || now - entry.sentAtMs < pauseMs) continue;
      entry.sentAtMs = now;
      entry.sends += 1;
      this.#publish(entry.report);
    }
  }

  async instructedToEnd(terminated: AbortSignal): Promise<'API_REQUEST' | 'SIGTERM' | 'fenced' | 'replaced'> {
    terminated.addEventListener('abort', () => this.#wake(), { once: true });
    for (;;) {
      if (!this.#last.held) return 'fenced';
      if (this.#last.replaced === true) return 'replaced';
      if (this.#last.leaveRequested) return 'API_REQUEST';
      if (terminated.aborted && !(await this.#isDisplaced())) return 'SIGTERM';
      await this.#nextChange();
    }
  }

  /** Polls for a moment whether another run replaces a runner that is instructed to end. */
  async #isDisplaced(): Promise<boolean> {
    for (const lateMs = Date.now() + noticeMs; Date.now() < lateMs && this.#last.displaced !== true;) {
      this.renewSoon();
      await systemClock.sleep(200, this.#killed);
    }
    return this.#last.displaced === true;
  }

  /** Resolves when all reports are applied, or the lease is lost. */
  async applied(): Promise<void> {
    while (this.#last.held && this.#last.appliedSequence < this.#sent.length) await this.#nextChange();
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }
}
