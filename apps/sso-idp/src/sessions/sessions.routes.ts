import { Router } from 'express';
import {
  internalRoutes,
  loginAvailabilityRequest,
  releaseLoginRequest,
  reserveLoginRequest,
  signInCommand,
} from '@rapporteur/contracts';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { issueSignIn } from './issue-sign-in.ts';
import type { IssueSignInDependencies } from './issue-sign-in.ts';
import type { LoginPool } from './login-pool.ts';

export interface SessionRoutesDependencies extends IssueSignInDependencies {
  readonly pool: LoginPool;
}

/** bot-scheduler's requests for its bots. */
export function sessionRoutes(auth: InternalAuth, dependencies: SessionRoutesDependencies): Router {
  const { pool } = dependencies;
  const router = Router();
  const schedulerOnly = auth.require(['bot-scheduler']);
  const readJson = jsonBody({ limitBytes: 16_384 });
  router.post(internalRoutes.reserveLogin, schedulerOnly, readJson, async (request, response) => {
    const body = readInput(reserveLoginRequest, request.body);
    const reply = await pool.reserve(body);
    const credentialId = reply.outcome === 'reserved' ? reply.credentialId : null;
    addToLog(request, { teamId: body.teamId, botId: body.botId, outcome: reply.outcome, credentialId });
    response.json(reply);
  });
  router.post(internalRoutes.loginAvailability, schedulerOnly, readJson, async (request, response) => {
    const { teamId, selector } = readInput(loginAvailabilityRequest, request.body);
    addToLog(request, { teamId });
    response.json(await pool.availability(teamId, selector));
  });
  router.post(internalRoutes.releaseLogin, schedulerOnly, readJson, async (request, response) => {
    const { botId, teamId } = readInput(releaseLoginRequest, request.body);
    addToLog(request, { teamId, botId });
    await pool.release(botId);
    response.json({ success: true });
  });
  router.post(internalRoutes.signIn, schedulerOnly, readJson, async (request, response) => {
    const order = readInput(signInCommand, request.body);
    const reply = await issueSignIn(dependencies, order);
    const credentialId = reply.outcome === 'credentials' ? reply.credentials.credentialId : null;
    addToLog(request, { teamId: order.teamId, botId: order.botId, outcome: reply.outcome, credentialId });
    response.json(reply);
  });
  return router;
}
