import { KeyedMutex } from '@rapporteur/async';
import type { LoginAvailability, ReserveLoginReply, ReserveLoginRequest } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import type { LoginSelector } from '../schema/login-entities.ts';
import {
  deleteSession,
  findCandidates,
  findSession,
  insertSession,
  lockPool,
  markUsed,
  moveSession,
  touchSession,
} from './sessions.store.ts';
import type { PoolCandidate } from './sessions.store.ts';

export interface LoginPoolDependencies {
  readonly database: Database;
  readonly sessionsPerLogin: number;
  /** Releases logins that ended bots still hold. */
  readonly reconcile: () => Promise<void>;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Assigns logins to bots, with a limit of bots per login under any number of parallel requests. */
export class LoginPool {
  readonly #dependencies: LoginPoolDependencies;
  /** Reservations wait by team here: waiting for the database lock would hold a connection for each of them. */
  readonly #reservations = new KeyedMutex();

  constructor(dependencies: LoginPoolDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reserves a slot of the least-loaded login. One per bot: a repeated request returns the same login. */
  async reserve(request: ReserveLoginRequest): Promise<ReserveLoginReply> {
    const first = await this.#reserveOnce(request);
    if (first.outcome === 'reserved' || !first.saturated) return withoutDetail(first);
    await this.#dependencies.reconcile();
    return withoutDetail(await this.#reserveOnce(request));
  }

  /** Whether a reservation would succeed now. */
  async availability(teamId: string, selector: LoginSelector): Promise<LoginAvailability> {
    const read = async () => this.#choose(await this.#candidates(this.#dependencies.database, { teamId, selector }));
    let choice = await read();
    if (choice.outcome === 'unavailable' && choice.saturated) {
      await this.#dependencies.reconcile();
      choice = await read();
    }
    return choice.outcome === 'reserved'
      ? { outcome: 'available' }
      : { outcome: 'unavailable', message: choice.message };
  }

  async release(botId: string): Promise<void> {
    await deleteSession(this.#dependencies.database, botId);
  }

  /**
   * Moves a bot whose login failed to another login of its pool. False: none is available, and the slot is released.
   */
  async replace(botId: string, teamId: string, failedId: string): Promise<boolean> {
    const { database, now } = this.#dependencies;
    return await database.transaction(async (transaction) => {
      await lockPool(transaction, teamId);
      const session = await findSession(transaction, botId);
      if (session === null) return false;
      // The report of a failure may be repeated after another login was assigned.
      if (session.credential_id !== failedId) return true;
      const failed = [...session.failed_logins, failedId];
      const candidates = await this.#candidates(transaction, { teamId, selector: session.selector, excluded: failed });
      const choice = this.#choose(candidates);
      if (choice.outcome === 'unavailable') {
        await deleteSession(transaction, botId);
        return false;
      }
      await moveSession(transaction, botId, { credential_id: choice.credentialId, failed_logins: failed });
      await markUsed(transaction, choice.credentialId, new Date(now()));
      return true;
    });
  }

  #reserveOnce(request: ReserveLoginRequest): Promise<Choice> {
    return this.#reservations.run(request.teamId, () => this.#reserveNow(request));
  }

  async #reserveNow({ botId, teamId, selector }: ReserveLoginRequest): Promise<Choice> {
    const { database, now } = this.#dependencies;
    return await database.transaction<Choice>(async (transaction) => {
      await lockPool(transaction, teamId);
      const at = new Date(now());
      const held = await findSession(transaction, botId);
      if (held !== null) {
        await touchSession(transaction, botId, at);
        return { outcome: 'reserved', credentialId: held.credential_id };
      }
      const choice = this.#choose(await this.#candidates(transaction, { teamId, selector }));
      if (choice.outcome === 'unavailable') return choice;
      const { credentialId } = choice;
      const session = { bot_id: botId, team_id: teamId, credential_id: credentialId, selector, reserved_at: at };
      await insertSession(transaction, session);
      await markUsed(transaction, credentialId, at);
      return choice;
    });
  }

  #candidates(
    executor: Executor,
    pool: { readonly teamId: string; readonly selector: LoginSelector; readonly excluded?: readonly string[] },
  ): Promise<PoolCandidate[]> {
    return findCandidates(executor, { excluded: [], ...pool });
  }

  #choose(candidates: readonly PoolCandidate[]): Choice {
    const { sessionsPerLogin } = this.#dependencies;
    const [first] = candidates;
    if (first === undefined) {
      return unavailable('The team has no login that matches.', false);
    }
    if (!first.active) return unavailable('Every login that matches is invalid, or its workspace is.', false);
    if (first.sessions >= sessionsPerLogin) {
      return unavailable(`Every login that matches is used by ${sessionsPerLogin} bots already.`, true);
    }
    return { outcome: 'reserved', credentialId: first.credential_id };
  }
}

type Choice =
  | { readonly outcome: 'reserved'; readonly credentialId: string }
  | { readonly outcome: 'unavailable'; readonly message: string; readonly saturated: boolean };

function unavailable(message: string, saturated: boolean): Choice {
  return { outcome: 'unavailable', message, saturated };
}

function withoutDetail(choice: Choice): ReserveLoginReply {
  return choice.outcome === 'reserved' ? choice : { outcome: 'unavailable', message: choice.message };
}
