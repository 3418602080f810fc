import { retry } from '@rapporteur/async';
import { internalCalls } from '@rapporteur/contracts';
import type { CredentialChoice, JoinTokenCommand, JoinTokenResult } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { Clock, Logger, InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { Router } from 'express';
import type { CredentialRow } from '../schema/entities.ts';
import { ZoomRefusal, ZoomTimeout } from '../zoom/zoom-accounts.ts';
import type { ZoomAccounts } from '../zoom/zoom-accounts.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { CredentialPlace, CredentialSecrets } from './credential-secrets.ts';
import { findCredential, findOfUser, noteError } from './credentials.store.ts';

export interface JoinTokenDependencies {
  readonly database: Database;
  readonly secrets: CredentialSecrets;
  readonly accessTokens: AccessTokens;
  readonly zoom: Pick<ZoomAccounts, 'mintOnBehalf'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Short, because a bot waits for the response. */
const timeouts = { firstMs: 1_000, longestMs: 3_000, withinMs: 8_000 };
const uuid = z.uuid();

/** The team's credential of this choice, or null. */
export async function findChosen(executor: Executor, choice: CredentialChoice): Promise<CredentialRow | null> {
  if ('userId' in choice) return await findOfUser(executor, choice.teamId, choice.userId);
  const { teamId, credentialId } = choice;
  return uuid.safeParse(credentialId).success ? await findCredential(executor, { teamId, credentialId }) : null;
}

/**
 * What a bot joins this meeting with, or a message that states why it cannot. An error of the credential itself is
 * stored with it.
 */
export async function issueJoinToken(
  dependencies: JoinTokenDependencies,
  { choice, meetingId }: JoinTokenCommand,
): Promise<JoinTokenResult> {
  const row = await findChosen(dependencies.database, choice);
  if (row === null) return refused('The stored Zoom credential of this bot is not there any more.');
  const { credential_id: credentialId, team_id: teamId } = row;
  const secret = dependencies.secrets.open(row, 'client_secret');
  if (secret === null) return refused('The stored Zoom credential of this bot was just deleted.');
  const minted = row.credential_type === 'app' ? null : await mint(dependencies, { teamId, credentialId }, meetingId);
  if (minted !== null && 'outcome' in minted) return minted;
  return {
    outcome: 'token',
    credentialId,
    app: { key: row.client_id, secret },
    obfToken: minted?.token ?? null,
  };
}

type Minted = { readonly token: string } | Extract<JoinTokenResult, { outcome: 'refused' }>;

/** Retries briefly when Zoom does not respond. */
async function mint(dependencies: JoinTokenDependencies, place: CredentialPlace, meetingId: string): Promise<Minted> {
  const { clock, logger } = dependencies;
  return retry(() => mintOnce(dependencies, place, meetingId), {
    clock,
    ...timeouts,
    requestedMsOf: (error) =>
      error instanceof ZoomTimeout ? Math.min(timeouts.longestMs, error.retryAfterMs ?? timeouts.firstMs) : null,
    onRetry: (error) => logger.warn({ err: error, ...place }, 'Zoom did not respond for a stored credential.'),
  }).catch((error: unknown) => {
    if (!(error instanceof ZoomTimeout)) throw error;
    return refused(`${error.message}. The credential itself is not to blame.`);
  });
}

async function mintOnce(
  dependencies: JoinTokenDependencies,
  place: CredentialPlace,
  meetingId: string,
): Promise<Minted> {
  let stale: string | null = null;
  for (;;) {
    const access = await dependencies.accessTokens.get(place, stale);
    if (access.token === null) return withoutAccess(access.state, access.lastError);
    try {
      return { token: await dependencies.zoom.mintOnBehalf(access.token, meetingId) };
    } catch (error) {
      if (!(error instanceof ZoomRefusal)) throw error;
      // A token may be revoked before its expiry: the renewal then shows whether the consent is revoked as well.
      if (error.status !== 401 || stale !== null) return await noteRefusal(dependencies, place, error);
      stale = access.token;
    }
  }
}

function withoutAccess(state: 'gone' | 'invalid', lastError: string | null): Minted {
  if (state === 'gone') return refused('The stored Zoom credential of this bot is not there any more.');
  return refused(`The stored Zoom credential is invalid. ${lastError ?? ''}`.trim());
}

async function noteRefusal(
  dependencies: JoinTokenDependencies,
  place: CredentialPlace,
  refusal: ZoomRefusal,
): Promise<Minted> {
  const reported = refusal.reason === null ? '' : `, code ${refusal.reason}`;
  const message = `Zoom gave no OBF token for this meeting (HTTP status ${refusal.status}${reported}). Check that the app has the scope user:read:token and that the user allowed it.`;
  await noteError(dependencies.database, place, message, new Date(dependencies.clock.now()));
  return refused(message);
}

function refused(message: string): Extract<JoinTokenResult, { outcome: 'refused' }> {
  return { outcome: 'refused', message };
}

/** bot-scheduler's requests for its bots. */
export function joinTokenRoutes(auth: InternalAuth, dependencies: JoinTokenDependencies): Router {
  return Router().use(
    serveCall(auth, internalCalls.credentials.status, async (choice, request) => {
      const row = await findChosen(dependencies.database, choice);
      addToLog(request, { credentialId: row?.credential_id ?? null });
      const credential = row && {
        credentialId: row.credential_id,
        state: row.state,
        lastError: row.last_error_message,
      };
      return { credential };
    }),
    serveCall(auth, internalCalls.credentials.joinToken, async (command, request) => {
      const result = await issueJoinToken(dependencies, command);
      const { teamId } = command.choice;
      addToLog(request, {
        teamId,
        ...(result.outcome === 'token' ? { credentialId: result.credentialId } : { refused: result.message }),
      });
      return result;
    }),
  );
}
