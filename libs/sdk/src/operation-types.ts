import type { operations as Described } from './generated/types.ts';

/** The facts about an operation that the client needs. */
export interface OperationFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly query: readonly string[];
  /** True when the operation honours the header Idempotency-Key. */
  readonly keyed: boolean;
  /** True when the response has only `data`. */
  readonly onlyData: boolean;
}

export type OperationId = keyof Described;

type Parameters<Id extends OperationId> = Described[Id]['parameters'];
type InPath<Id extends OperationId> = Parameters<Id> extends { path: infer Path extends object } ? Path : unknown;
type InQuery<Id extends OperationId> =
  Parameters<Id> extends { query?: infer Query }
    ? [Query] extends [undefined]
      ? unknown
      : { [Name in keyof Query]: Query[Name] extends infer Value ? Given<Value> : never }
    : unknown;
/** Several values of a filter are joined by commas. */
type Given<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type InBody<Id extends OperationId> = Described[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? { body: Body }
  : Described[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : unknown;

/** Parameters of path and query by their names, and the JSON body as `body`. */
export type Input<Id extends OperationId> = InPath<Id> & InQuery<Id> & InBody<Id>;

type Success<Id extends OperationId> = Described[Id]['responses'] extends
  | { 200: { content: { 'application/json': infer Body } } }
  | { 201: { content: { 'application/json': infer Body } } }
  ? Body
  : never;

/** `data` of the response; for lists and batches the whole response, because there is more than `data` in it. */
export type OperationResponse<Id extends OperationId> =
  Exclude<keyof Success<Id>, 'success'> extends 'data'
    ? Success<Id>['data' & keyof Success<Id>]
    : Omit<Success<Id>, 'success'>;

/** The items of a paginated list. */
export type All<Id extends OperationId> = AsyncIterable<
  Success<Id> extends { data: readonly (infer Item)[] } ? Item : never
>;

export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
  /** Deadline of the whole call, retries included. */
  readonly timeoutMs?: number;
  /** Only for POST: makes retries of this call safe. By default every call gets a new one. */
  readonly idempotencyKey?: string;
}
