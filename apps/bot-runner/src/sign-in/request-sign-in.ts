import { runnerSubjects, signInAnswer } from '@rapporteur/contracts';
import type { SignInAnswer, SignInRequest } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import type { QuestionBus } from '../alpha/ask-credential.ts';

/** Longer than the scheduler waits for the service that keeps logins. */
const answerMs = 15_000;

/** What the bot signs in with, or a sentence that says why there is nothing. */
export async function requestSignIn(bus: QuestionBus, request: SignInRequest): Promise<SignInAnswer> {
  try {
    return signInAnswer.parse(
      await bus.request(runnerSubjects.signIn(request.botId), request, { timeoutMs: answerMs }),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { outcome: 'refused', message: 'The service did not answer when it was asked for a login.' };
  }
}
