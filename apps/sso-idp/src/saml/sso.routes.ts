import { Router } from 'express';
import { internalRoutes, meetSignInCall, meetSignOutCall } from '@rapporteur/contracts';
import type { SsoPage } from '@rapporteur/contracts';
import type { z } from 'zod';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { RequestRefused } from './authn-request.ts';
import { signIn } from './sign-in.ts';
import type { SignInCall, SignInDependencies } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { formPage, refusalPage, signedOutPage } from './sso-page.ts';

/** The identity provider as browsers of bots reach it through the gateway. */
export function ssoRoutes(auth: InternalAuth, dependencies: SignInDependencies): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: 64 * 1_024 });
  router.post(internalRoutes.meetSignIn, auth.require(['api-gateway']), readJson, async (request, response) => {
    const { page, refused } = await reply(dependencies, readInput(meetSignInCall, request.body));
    if (refused !== null) addToLog(request, { refused });
    response.json(page);
  });
  router.post(internalRoutes.meetSignOut, auth.require(['api-gateway']), readJson, async (request, response) => {
    const { page, refused } = await signOutReply(dependencies, readInput(meetSignOutCall, request.body));
    if (refused !== null) addToLog(request, { refused });
    response.json(page);
  });
  return router;
}

interface Reply {
  readonly page: SsoPage;
  readonly refused: string | null;
}

async function signOutReply(dependencies: SignInDependencies, call: z.infer<typeof meetSignOutCall>): Promise<Reply> {
  if (call.samlRequest === null) return { page: signedOutPage(null), refused: null };
  try {
    return { page: signedOutPage(await signOut(dependencies, call)), refused: null };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    // The user is signed out in any case.
    return { page: signedOutPage(null), refused: error.reason };
  }
}

async function reply(dependencies: SignInDependencies, call: SignInCall): Promise<Reply> {
  try {
    const form = await signIn(dependencies, call);
    return { page: formPage(form), refused: form.refused };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    dependencies.logger.warn({ reason: error.reason }, 'A SAML sign-in was refused.');
    return { page: refusalPage(error), refused: error.reason };
  }
}
