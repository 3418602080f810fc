import { joinTokenReply, runnerSubjects } from '@rapporteur/contracts';
import type { JoinTokenReply, JoinTokenRequest } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';

/** The part of the bus that is needed to request what a stored credential gives. */
export interface RequestBus {
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
}

/** Longer than the scheduler waits for the service that asks the platform. */
const responseMs = 25_000;

/** What the bot's stored credential gives for one join, or a sentence that says why there is nothing. */
export async function requestCredential(bus: RequestBus, request: JoinTokenRequest): Promise<JoinTokenReply> {
  try {
    return joinTokenReply.parse(
      await bus.request(runnerSubjects.joinToken(request.botId), request, { timeoutMs: responseMs }),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { outcome: 'refused', message: 'The service did not answer when it was asked for the token.' };
  }
}
