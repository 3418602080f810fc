import { runnerSubjects, signInResponse } from '@rapporteur/contracts';
import type { SignInResponse, SignInRequest } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import type { RequestBus } from '../zoom/request-credential.ts';

/** Longer than the scheduler waits for the service that keeps logins. */
const responseMs = 15_000;

/** What the bot signs in with, or a sentence that says why there is nothing. */
export async function requestSignIn(bus: RequestBus, request: SignInRequest): Promise<SignInResponse> {
  try {
    return signInResponse.parse(
      await bus.request(runnerSubjects.signIn(request.botId), request, { timeoutMs: responseMs }),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { outcome: 'refused', message: 'The service did not respond when it was requested a login.' };
  }
}
