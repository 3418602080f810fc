import { randomUUID } from 'node:crypto';
import { leaseRequest, liveViewSubject, runnerSubjects } from '@rapporteur/contracts';
import type { LeaseReply } from '@rapporteur/contracts';
import { withStorableText } from '@rapporteur/database';
import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Bus } from '@rapporteur/event-bus';
import type { RequestBus } from '../schema/request-bus.ts';
import type { RecordingWindow } from './recording-window.ts';
import { createRenewalBatches, mostWaiting } from './renewal-batches.ts';
import type { Context } from '../schema/context.ts';

export interface HandleLeaseRequestsDependencies extends Pick<Context, 'database' | 'clock' | 'logger'> {
  /** Notifies the instance that waits for a live view. */
  readonly bus: RequestBus & Pick<Bus, 'notify'>;
  /** Maximum number of database connections for renewals. */
  readonly poolSize: number;
  readonly window: RecordingWindow;
  /** Pause between two probes of the renewal path. */
  readonly probeEveryMs: number;
}

const probeTimeoutMs = 3_000;

/**
 * Responds to every runner's renewals, and sends itself a probe through the bus and the database, so that the window of
 * recorded time continues while no runner renews. Throws for a body that is not a lease request or is on another bot's
 * subject.
 */
export function handleLeaseRequests({ bus, clock, probeEveryMs, ...dependencies }: HandleLeaseRequestsDependencies): {
  stop(): Promise<void>;
} {
  const batches = createRenewalBatches({ ...dependencies, clock, concurrency: dependencies.poolSize });
  const response =
    (subjectOf: (botId: string) => string) =>
    async (body: unknown, subject: string): Promise<LeaseReply | undefined> => {
      const { live, ...request } = leaseRequest.parse(withStorableText(body));
      // The runner's credential authorizes the subject; the body is untrusted.
      if (subject !== subjectOf(request.botId))
        throw new Error(`A lease request for bot ${request.botId} came on ${subject}.`);
      const reply = await batches.renew(request);
      if (live !== undefined && reply?.held === true) bus.notify(liveViewSubject(request.botId), live);
      return reply ?? undefined;
    };
  const own = `lease-probe.v1.${randomUUID()}`;
  const limit = mostWaiting;
  const replies = [
    bus.reply(runnerSubjects.lease('*'), response(runnerSubjects.lease), { limit }),
    bus.reply(runnerSubjects.leaseOfAny('*'), response(runnerSubjects.leaseOfAny), { limit, everyInstance: true }),
    bus.reply(own, async () => (await batches.probe()) || undefined),
  ];
  // A failed probe needs no handling: it is not recorded.
  const probe = () =>
    bus.request(own, null, { timeoutMs: probeTimeoutMs }).then(
      () => undefined,
      () => undefined,
    );
  const probing = repeatUntilStopped(clock, probeEveryMs, probe);
  return {
    stop: async () => {
      await Promise.all(replies.map((reply) => reply.stop()));
      await batches.stop();
      await probing.stop();
    },
  };
}
