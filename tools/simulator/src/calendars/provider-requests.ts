import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { CalendarStore, Provider } from './calendar-store.ts';
import type { Consents } from './consents.ts';
import type { Grants } from './grants.ts';
import type { Push } from './push.ts';
import type { FaultPlace, Quota, RequestFaults } from './request-faults.ts';

/** The dependencies of both providers' routes. */
export interface ProviderDependencies {
  readonly store: CalendarStore;
  readonly consents: Consents;
  readonly grants: Grants;
  readonly push: Push;
  readonly faults: RequestFaults;
  readonly quota: Quota;
  readonly counts: Record<string, number>;
  /** Epoch ms. */
  readonly now: () => number;
}

/** A refusal in a provider's own form. */
export class ProviderRefusal extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
    this.reason = reason;
  }
}

export type SendRefusal = (response: Response, refusal: ProviderRefusal) => void;

export interface ProviderRoute {
  readonly provider: Provider;
  readonly at: FaultPlace;
  readonly dependencies: ProviderDependencies;
  readonly refuse: SendRefusal;
}

/** A route behind the provider's faults, its sign-in and its quota; `work` gets the account's e-mail address. */
export function providerRoute(
  { provider, at, dependencies, refuse }: ProviderRoute,
  work: (request: Request, response: Response, email: string) => void | Promise<void>,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const name = `${provider}.${at}`;
    dependencies.counts[name] = (dependencies.counts[name] ?? 0) + 1;
    try {
      if (await strikes(dependencies, at, response)) return;
      const access = dependencies.grants.check(provider, request.headers.authorization);
      if (!access.allowed && access.reason === 'unauthenticated') throw new ProviderRefusal(401, 'authError');
      if (!access.allowed) throw new ProviderRefusal(403, 'insufficientPermissions');
      if (!dependencies.quota.admit(access.email)) {
        response.setHeader('retry-after', '1');
        throw new ProviderRefusal(provider === 'google' ? 403 : 429, 'rateLimitExceeded');
      }
      await work(request, response, access.email);
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      refuse(response, error);
    }
  };
}

/** True when a fault sent the response; throws a refusal when it is one of the provider's own. */
export async function strikes({ faults }: Pick<ProviderDependencies, 'faults'>, at: FaultPlace, response: Response) {
  const fault = faults.take(at);
  if (fault === null) return false;
  if (fault.delayMs > 0) await sleep(fault.delayMs);
  if (fault.hangUp) {
    response.destroy();
    return true;
  }
  if (fault.unknownForm) {
    response.json({ items: 'unknown', value: 'unknown' });
    return true;
  }
  if (fault.status === undefined) return false;
  if (fault.status === 429 || fault.status === 503) response.setHeader('retry-after', String(fault.retryAfterSeconds));
  throw new ProviderRefusal(fault.status, fault.status === 410 ? 'fullSyncRequired' : 'backendError');
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An opaque token that the provider issued; null for anything else. */
export function readToken<T>(text: string): T | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as T;
  } catch {
    return null;
  }
}

export function writeToken(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}
