import { Router } from 'express';
import type { Request, Response } from 'express';
import type { operations } from '@rapporteur/contracts/public-api';
import { publicRoutes } from '@rapporteur/contracts/public-routes';
import { parseDateTime } from './date-time.ts';
import { addToLog } from './http.ts';
import { teamOf } from './internal-auth.ts';
import type { InternalAuth } from './internal-auth.ts';
import { jsonBody } from './json-body.ts';

type Routes = typeof publicRoutes;
/** An operation of the public API. */
export type OperationId = keyof Routes;

type Given<Part, Name extends string> = Part extends { [name in Name]?: infer Value } ? NonNullable<Value> : never;
type OrEmpty<Value> = [Value] extends [never] ? object : Value;
type WithDefaults<Query, Defaults> = Omit<Query, keyof Defaults> & Required<Pick<Query, keyof Query & keyof Defaults>>;

export type QueryOf<Id extends OperationId> = WithDefaults<
  OrEmpty<Given<operations[Id]['parameters'], 'query'>>,
  Routes[Id]['defaults']
>;
type JsonOf<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : null;
/** Null where the operation reads no body, or where an optional one was omitted. */
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body } ? JsonOf<Body> : null;

/** A request that api-gateway has validated by the contract, with the defaults of the contract. */
export interface PublicCall<Id extends OperationId> {
  readonly teamId: string;
  /** UUIDs are in lower case. */
  readonly params: OrEmpty<Given<operations[Id]['parameters'], 'path'>>;
  /** Date-times are in the form of `parseDateTime`. */
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  readonly request: Request;
  readonly response: Response;
}

/** Returns the members of the response besides `success`; null: it has sent the response. */
export type PublicHandlers = {
  readonly [Id in OperationId]?: (call: PublicCall<Id>) => object | null | Promise<object | null>;
};
type AnyHandler = (call: object) => object | null | Promise<object | null>;

/** Escapes in a body and the members that api-gateway adds make it longer than the client's. */
const growth = 2;

/**
 * The routes of public operations at their owner: `/internal` and the path of the contract, for api-gateway alone. The
 * log line has the team and the parameters of the path.
 */
export function servePublic(auth: InternalAuth, handlers: PublicHandlers): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  // In the order of the table, which has fixed paths before those with parameters.
  for (const [id, route] of Object.entries(publicRoutes)) {
    const handle = handlers[id as OperationId] as AnyHandler | undefined;
    if (handle === undefined) continue;
    const { method, path, status, bodyLimitBytes } = route;
    const readJson = bodyLimitBytes === null ? [] : [jsonBody({ limitBytes: bodyLimitBytes * growth })];
    const address = `/internal${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    router[method](address, gatewayOnly, ...readJson, async (request, response) => {
      const teamId = teamOf(request);
      const params = Object.fromEntries(
        Object.entries(request.params).map(([name, value]) => {
          const text = String(value);
          return [name, uuid.test(text) ? text.toLowerCase() : text];
        }),
      );
      addToLog(request, { teamId, ...Object.fromEntries(Object.entries(params).map(([k, v]) => [camelCase(k), v])) });
      const query = queryOf(route, request.query);
      const body: unknown = request.body ?? null;
      const reply = await handle({ teamId, params, query, body, request, response });
      if (reply !== null) response.status(status).json({ success: true, ...reply });
    });
  }
  return router;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

type Reader = (text: string) => unknown;
const readers: Readonly<Record<string, Reader>> = {
  number: Number,
  boolean: (text) => text === 'true',
  'date-time': parseDateTime,
};

/** The contract admits each parameter once, so that a value is a text. */
function queryOf({ types, defaults }: Routes[OperationId], given: Request['query']): Record<string, unknown> {
  const readerOf = (name: string) => readers[(types as Readonly<Record<string, string>>)[name] ?? ''] ?? String;
  const read = Object.entries(given as Readonly<Record<string, string>>).map(([name, text]) => [
    name,
    readerOf(name)(text),
  ]);
  return { ...defaults, ...Object.fromEntries(read) };
}
