import { isDeepStrictEqual } from 'node:util';
import type { Draft, Planner } from './plan.ts';
import type { Random } from './random.ts';
import type { Answer, PlannedRequest } from './request.ts';

/** One step of a story: a request, and what must be true of its answer; null when all is well. */
export interface Step {
  readonly request: PlannedRequest;
  readonly check: (answer: Answer) => string | null;
}

export type Story = Generator<Step, void, Answer>;

export interface StoryParts {
  readonly planner: Planner;
  readonly random: Random;
}

export type Json = Record<string, unknown>;

export interface Ask {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly value?: unknown;
  readonly check: (answer: Answer) => string | null;
}

/** Asks exactly this, nothing left to chance. */
export function ask(planner: Planner, id: string, { path = {}, query = {}, value, check }: Ask): Step {
  const operation = planner.operation(id);
  if (operation === null) throw new Error(`No operation is called ${id}.`);
  const drafted = planner.draft(operation);
  const { 'x-service-api-key': key = '' } = drafted.headers;
  const exact: Draft = {
    operation,
    path,
    query,
    headers: { 'x-service-api-key': key },
    hasBody: value !== undefined,
    value,
  };
  return { request: planner.write(exact, { kind: 'fits', refusal: null }), check };
}

export function dataOf(answer: Answer): Json {
  return ((answer.json as Json | undefined)?.['data'] ?? {}) as Json;
}

export function statusIs(status: number): (answer: Answer) => string | null {
  return (answer) =>
    answer.status === status ? null : `${answer.status} in place of ${status}: ${answer.text.slice(0, 200)}`;
}

export function differs(what: string, found: unknown, wanted: unknown): string | null {
  if (isDeepStrictEqual(found, wanted)) return null;
  return `${what} is ${JSON.stringify(found)?.slice(0, 200)}, wanted ${JSON.stringify(wanted)?.slice(0, 200)}`;
}

export function listHas(botId: string): (answer: Answer) => string | null {
  return (answer) => {
    const list = ((answer.json as Json | undefined)?.['data'] ?? []) as Json[];
    return statusIs(200)(answer) ?? (list.some((bot) => bot['bot_id'] === botId) ? null : `the list lacks ${botId}`);
  };
}
