import { Router } from 'express';
import { internalRoutes, meetSignInCall } from '@rapporteur/contracts';
import type { SsoPage } from '@rapporteur/contracts';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { RequestRefused } from './authn-request.ts';
import { signIn } from './sign-in.ts';
import type { SignInCall, SignInDependencies } from './sign-in.ts';
import { formPage, refusalPage } from './sso-page.ts';

/** The identity provider as browsers of bots reach it through the gateway. */
export function ssoRoutes(auth: InternalAuth, dependencies: SignInDependencies): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: 64 * 1_024 });
  router.post(internalRoutes.meetSignIn, auth.require(['api-gateway']), readJson, async (request, response) => {
    const { page, refused } = await reply(dependencies, readInput(meetSignInCall, request.body));
    if (refused !== null) addToLog(request, { refused });
    response.json(page);
  });
  return router;
}

async function reply(
  dependencies: SignInDependencies,
  call: SignInCall,
): Promise<{ readonly page: SsoPage; readonly refused: string | null }> {
  try {
    return { page: formPage(await signIn(dependencies, call)), refused: null };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    dependencies.logger.warn({ reason: error.reason }, 'A SAML sign-in was refused.');
    return { page: refusalPage(error), refused: error.reason };
  }
}
