import { joinTokenRequest, runnerSubjects } from '@rapporteur/contracts';
import type { JoinTokenReply, JoinTokenRequest } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { Failure } from '@rapporteur/failures';
import type { RequestBus, Context } from '../schema/context.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { CredentialClient } from '../service-clients.ts';
import { signSdkSignature } from './sdk-signature.ts';
import { chosenCredential } from './credential-refusal.ts';
import type { CredentialFields } from './credential-refusal.ts';

export interface JoinTokenDependencies extends Pick<Context, 'database' | 'now' | 'logger'> {
  readonly bus: Pick<RequestBus, 'reply'>;
  /** Null: stored credentials are not deployed. */
  readonly credentials: Pick<CredentialClient, 'joinToken'> | null;
}

/**
 * Responds to the join-token requests of runners: a token of the bot's own stored credential for the bot's own meeting,
 * and the signature of the credential's app, whose secret is not sent. A runner without a lease gets no response.
 */
export async function handleJoinTokenRequests(dependencies: JoinTokenDependencies): Promise<{ stop(): Promise<void> }> {
  return dependencies.bus.reply(runnerSubjects.joinToken('*'), async (body, subject): Promise<JoinTokenReply> => {
    const request = joinTokenRequest.parse(body);
    // The runner's credential authorizes the subject; the body is untrusted.
    if (subject !== runnerSubjects.joinToken(request.botId))
      throw new Error(`A request for a token of bot ${request.botId} arrived on ${subject}.`);
    const bot = await findHolder(dependencies.database, request);
    if (bot === null) throw new Error(`A run that does not hold bot ${request.botId} requested a token.`);
    const reply = await giveToken(dependencies, bot);
    const facts = { botId: bot.id, teamId: bot.team_id, outcome: reply.outcome };
    if (reply.outcome === 'token') dependencies.logger.info(facts, 'A bot got what it joins with.');
    else dependencies.logger.warn(facts, `A bot got nothing to join with. ${reply.message}`);
    return reply;
  });
}

type Holder = Pick<BotRow, 'id' | 'team_id' | 'meeting_id' | 'request'>;

async function findHolder(database: Executor, { botId, attempt, fencing }: JoinTokenRequest): Promise<Holder | null> {
  const [bot] = await database.query<Holder>(
    `select bots.id, bots.team_id, bots.meeting_id, bots.request from leases join bots on bots.id = leases.bot_id
     where leases.bot_id = $1 and leases.attempt = $2 and leases.fencing = $3 and leases.state = 'held'
       and leases.mode = 'attend' and bots.meeting_platform = 'zoom'`,
    [botId, attempt, fencing],
  );
  return bot ?? null;
}

async function giveToken({ credentials, now }: JoinTokenDependencies, bot: Holder): Promise<JoinTokenReply> {
  const { alpha_config: config } = bot.request as { readonly alpha_config?: CredentialFields | null };
  const chosen = chosenCredential(bot.team_id, config);
  if (chosen === null) return refused('This bot was created without a stored credential.');
  if (credentials === null) return refused('This deployment no longer joins meetings by stored Zoom credentials.');
  try {
    const order = { choice: chosen.choice, botId: bot.id, meetingId: bot.meeting_id };
    const result = await credentials.joinToken(order);
    if (result.outcome === 'refused') return result;
    const signature = await signSdkSignature(result.app, bot.meeting_id, now());
    return { outcome: 'token', sdk: { key: result.app.key, signature }, obfToken: result.obfToken };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refused('The service that keeps Zoom credentials did not respond in time.');
  }
}

function refused(message: string): JoinTokenReply {
  return { outcome: 'refused', message };
}
