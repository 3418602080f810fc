import { runnerSubjects, signInRequest, internalCalls } from '@rapporteur/contracts';
import type { SignInResponse, SignInCredentials, SignInRequest } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { Failure } from '@rapporteur/failures';
import type { Router } from 'express';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { RequestBus, Context } from '../schema/context.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { LoginClient } from '../service-clients.ts';
import { wantedLogin } from './wanted-login.ts';
import type { LoginFields } from './wanted-login.ts';

export interface SignInDependencies extends Pick<Context, 'database' | 'logger'> {
  readonly bus: Pick<RequestBus, 'reply'>;
  /** Null: stored logins are not deployed. */
  readonly logins: Pick<LoginClient, 'signIn'> | null;
}

/** Responds to the sign-in requests of runners with credentials. A runner without its bot's lease gets no response. */
export async function handleSignInRequests(dependencies: SignInDependencies): Promise<{ stop(): Promise<void> }> {
  const { bus, database, logger } = dependencies;
  return bus.reply(runnerSubjects.signIn('*'), async (body, subject): Promise<SignInResponse> => {
    const request = signInRequest.parse(body);
    // The runner's bus credential authorizes the subject; the body is untrusted.
    if (subject !== runnerSubjects.signIn(request.botId))
      throw new Error(`A sign-in request of bot ${request.botId} arrived on ${subject}.`);
    const bot = await findHolder(database, request);
    if (bot === null) throw new Error(`A run that does not hold bot ${request.botId} sent a sign-in request.`);
    const response = await responseFor(dependencies, bot, request);
    const facts = { botId: bot.id, teamId: bot.team_id, failed: request.failed?.code ?? null };
    if (response.outcome === 'refused') {
      logger.warn(facts, `A bot got no login to sign in with. ${response.message}`);
      return response;
    }
    const { credentialId } = response.credentials;
    logger.info({ ...facts, credentialId }, 'A bot got a login to sign in with.');
    return response;
  });
}

interface Holder extends Pick<BotRow, 'id' | 'team_id' | 'meeting_url' | 'request' | 'configuration'> {
  /** Whose login it uses: a canary that of a team which the operator names. */
  readonly login_team_id: string;
}

async function findHolder(database: Executor, { botId, attempt, fencing }: SignInRequest): Promise<Holder | null> {
  const [bot] = await database.query<Holder>(
    `select bots.id, bots.team_id, bots.meeting_url, bots.request, bots.configuration,
       coalesce(canary_runs.login_team_id, bots.team_id) as login_team_id
     from leases join bots on bots.id = leases.bot_id left join canary_runs on canary_runs.bot_id = bots.id
     where leases.bot_id = $1 and leases.attempt = $2 and leases.fencing = $3 and leases.state = 'held'
       and leases.mode = 'attend'`,
    [botId, attempt, fencing],
  );
  return bot ?? null;
}

async function responseFor(
  { database, logins }: SignInDependencies,
  bot: Holder,
  { attempt, failed }: SignInRequest,
): Promise<SignInResponse> {
  const wanted = wantedLogin(bot.request as LoginFields);
  if (wanted === null || logins === null) return refused('This bot was created without a login.');
  try {
    const reply = await logins.signIn({
      botId: bot.id,
      teamId: bot.login_team_id,
      attempt,
      meetingUrlHost: URL.canParse(bot.meeting_url) ? new URL(bot.meeting_url).hostname : null,
      selector: wanted.selector,
      failed,
    });
    if (reply.outcome === 'unavailable') return refused(reply.message);
    await noteLogin(database, bot, reply.credentials);
    return reply;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refused('The service that keeps logins did not respond in time.');
  }
}

/** The bot's details show the login that it uses. */
async function noteLogin(
  database: Executor,
  bot: Holder,
  { platform, credentialId }: SignInCredentials,
): Promise<void> {
  if (bot.configuration.login?.credentialId === credentialId) return;
  await database.query(`update bots set configuration = jsonb_set(configuration, '{login}', $2::jsonb) where id = $1`, [
    bot.id,
    JSON.stringify({ platform, credentialId }),
  ]);
}

function refused(message: string): SignInResponse {
  return { outcome: 'refused', message };
}

/** Reports which bots still need the logins that sso-idp reserved for them. */
export function botStatesRoutes(auth: InternalAuth, { database }: { readonly database: Executor }): Router {
  return serveCall(auth, internalCalls.bots.states, async ({ botIds }) => {
    const rows = await database.query<{ id: string; ended: boolean }>(
      'select id, ended_at is not null as ended from bots where id = any($1::uuid[])',
      [botIds],
    );
    const idsOf = (ended: boolean) => rows.filter((row) => row.ended === ended).map(({ id }) => id);
    return { active: idsOf(false), ended: idsOf(true) };
  });
}
