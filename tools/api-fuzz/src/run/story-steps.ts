import { isDeepStrictEqual } from 'node:util';
import type { SimulatedCalendars } from '@rapporteur/simulator';
import type { Draft, Planner } from './plan.ts';
import type { Random } from './random.ts';
import type { ServiceResponse, PlannedRequest } from './request.ts';

/** One step of a story: a request, and a check of its response, which returns null when it passed. */
export interface Step {
  readonly request: PlannedRequest;
  readonly check: (response: ServiceResponse) => string | null;
  /** Depends on another service: the request is repeated until this holds. */
  readonly until?: (response: ServiceResponse) => boolean;
}

export type Story = Generator<Step, void, ServiceResponse>;

export interface StoryDependencies {
  readonly planner: Planner;
  readonly random: Random;
  /** Accounts that the service under test can connect. */
  readonly calendars: SimulatedCalendars;
}

export type Json = Record<string, unknown>;

export interface SendRequest {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly value?: unknown;
  readonly check: Step['check'];
  readonly until?: Step['until'];
}

/** Sends exactly this request, without sampled values. */
export function sendRequest(
  planner: Planner,
  id: string,
  { path = {}, query = {}, headers = {}, value, check, until }: SendRequest,
): Step {
  const operation = planner.operation(id);
  if (operation === null) throw new Error(`No operation is called ${id}.`);
  const drafted = planner.draft(operation);
  const { 'x-service-api-key': key = '' } = drafted.headers;
  const exact: Draft = {
    operation,
    path,
    query,
    headers: { 'x-service-api-key': key, ...headers },
    hasBody: value !== undefined,
    value,
  };
  const request = planner.write(exact, { kind: 'fits', refusal: null });
  return until === undefined ? { request, check } : { request, check, until };
}

export function dataOf(response: ServiceResponse): Json {
  return ((response.json as Json | undefined)?.['data'] ?? {}) as Json;
}

export function statusIs(status: number): (response: ServiceResponse) => string | null {
  return (response) =>
    response.status === status ? null : `${response.status} in place of ${status}: ${response.text.slice(0, 200)}`;
}

export function differs(what: string, found: unknown, wanted: unknown): string | null {
  if (isDeepStrictEqual(found, wanted)) return null;
  return `${what} is ${JSON.stringify(found)?.slice(0, 200)}, wanted ${JSON.stringify(wanted)?.slice(0, 200)}`;
}

export function listHas(botId: string): (response: ServiceResponse) => string | null {
  return (response) => {
    const list = ((response.json as Json | undefined)?.['data'] ?? []) as Json[];
    return statusIs(200)(response) ?? (list.some((bot) => bot['bot_id'] === botId) ? null : `the list lacks ${botId}`);
  };
}
