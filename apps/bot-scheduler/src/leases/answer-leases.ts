import { leaseRequest, runnerSubjects } from '@rapporteur/contracts';
import type { LeaseReply } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { withStorableText } from '../lifecycle/storable-text.ts';
import { renewLease } from './leases.store.ts';

/** The part of the bus that leases need: answer questions until stopped. */
export interface Replies {
  reply(
    subject: string,
    handle: (body: unknown, subject: string) => Promise<unknown>,
  ): { stop(): Promise<void> } | Promise<{ stop(): Promise<void> }>;
}

/** Answers every runner's renewals. A body that is no lease request, or is sent on another bot's subject, throws. */
export async function answerLeases(parts: {
  readonly bus: Replies;
  readonly database: Executor;
  readonly now: () => number;
}): Promise<{ stop(): Promise<void> }> {
  return parts.bus.reply(runnerSubjects.lease('*'), async (body, subject): Promise<LeaseReply> => {
    const request = leaseRequest.parse(withStorableText(body));
    // The subject is what the runner's credential was checked against; the body is only what it says.
    if (subject !== runnerSubjects.lease(request.botId))
      throw new Error(`A lease request for bot ${request.botId} came on ${subject}.`);
    return renewLease(parts.database, request, new Date(parts.now()));
  });
}
