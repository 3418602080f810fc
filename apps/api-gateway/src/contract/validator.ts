import type { Request, RequestHandler, Response } from 'express';
import { publicOperations } from '@rapporteur/contracts/public-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail, toEnvelope } from '@rapporteur/failures';
import { requestIdOf } from '@rapporteur/service-runtime';
import { checkItems, givenBody, isSmall } from './body.ts';
import { bodyOperation, componentSchema, readDocument } from './document.ts';
import type { OperationRules, Schema } from './document.ts';
import { createCheck } from './openapi-check.ts';
import type { OpenApiCheck } from './openapi-check.ts';
import { parameterReader } from './parameters.ts';
import type { ValidatedParameters } from './parameters.ts';

/** Called with the operation and the problem of its response. */
type ReportInvalidResponse = (operationId: string, problem: string) => void;

export interface ContractOptions {
  /** The OpenAPI document; not changed. */
  readonly document: unknown;
  /**
   * If set, every response is validated too, for tests and staging: an invalid one is reported here and becomes a 500.
   */
  readonly onInvalidResponse?: ReportInvalidResponse | undefined;
}

/** A valid request, with defaults applied. */
export interface Accepted extends ValidatedParameters {
  /** Undefined where the operation reads no body; null where an optional body was omitted. */
  readonly body: unknown;
}

export interface Contract {
  readonly operations: readonly PublicOperation[];
  /** The first handler of a route. With `onInvalidResponse`, it validates every response sent after it. */
  watch(operation: PublicOperation): RequestHandler[];
  /** Passes valid requests on, as `acceptedOf(request)`; throws VALIDATION with every invalid field. */
  accept(operation: PublicOperation): RequestHandler[];
  /** Columns of the operation's response as CSV; null for an operation without that. */
  csvColumns(operation: PublicOperation): readonly string[] | null;
}

const accepted = new WeakMap<Request, Accepted>();

/** The result of `accept`. Throws when the route lacks `accept`: a programming error. */
export function acceptedOf(request: Request): Accepted {
  const found = accepted.get(request);
  if (found === undefined) throw new Error('This route does not validate its input: add contract.accept().');
  return found;
}

/** Prepares every operation of a document. Throws when the document cannot be used for validation. */
export function createContract({ document, onInvalidResponse }: ContractOptions): Contract {
  try {
    const operations = publicOperations(document);
    const read = readDocument(document);
    const responseCheck = responseChecks(document as Schema);
    const prepared = new Map(
      operations.map((operation) => {
        const rules = read.get(operation.id);
        if (rules === undefined) throw new Error(`The document lacks ${operation.id}.`);
        return [
          operation.id,
          {
            accept: acceptWith(document as Schema, operation, rules),
            csvColumns: rules.csvColumns,
            watch:
              onInvalidResponse === undefined ? [] : [watchWith(responseCheck, operation.id, rules, onInvalidResponse)],
          },
        ];
      }),
    );
    const of = (operation: PublicOperation) => {
      const found = prepared.get(operation.id);
      if (found === undefined) throw new Error(`${operation.id} is not an operation of this document.`);
      return found;
    };
    return {
      operations,
      watch: (operation) => of(operation).watch,
      accept: (operation) => [of(operation).accept],
      csvColumns: (operation) => of(operation).csvColumns,
    };
  } catch (error) {
    throw new Error('The API document cannot be used for validation.', { cause: error });
  }
}

/** One check for all responses of the same schema: those of failures have one. */
function responseChecks(document: Schema): (schema: Schema) => OpenApiCheck {
  const checks = new Map<string, OpenApiCheck>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const check = checks.get(key) ?? createCheck(bodyOperation(document, schema));
    checks.set(key, check);
    return check;
  };
}

function watchWith(
  checkOf: (schema: Schema) => OpenApiCheck,
  id: string,
  { responses }: OperationRules,
  onInvalidResponse: ReportInvalidResponse,
) {
  const checks = [...responses].map(([status, schema]) => [status, schema === null ? null : checkOf(schema)] as const);
  return checkResponses(id, new Map(checks), onInvalidResponse);
}

function acceptWith(document: Schema, operation: PublicOperation, rules: OperationRules): RequestHandler {
  const { itemSchema } = operation;
  const readParameters = parameterReader(rules.parameters);
  const check = createCheck(itemSchema === null ? rules.request : withoutItems(rules));
  const checkItem = itemSchema === null ? null : createCheck(bodyOperation(document, componentSchema(itemSchema)));
  return async (request, _response, next) => {
    const { params, query, headers } = readParameters(request);
    const given = await givenBody(operation, request);
    const thorough = isSmall(request);
    const path = addressOf(operation.path, { params, query: {} });
    const { problem, ...read } = await check(
      { path, query, headers, ...(given === undefined ? {} : { body: given }) },
      thorough,
    );
    if (problem !== null) throw fail('VALIDATION', { message: problem });
    const body = checkItem === null ? given : await checkItems(given as unknown[], checkItem, thorough);
    request.body = body;
    accepted.set(request, { ...(read as ValidatedParameters), body });
    next();
  };
}

/** The list is accepted or refused as a whole; its items are validated one by one. */
function withoutItems({ request, body }: OperationRules): OperationRules['request'] {
  const { items: _items, ...schema } = body ?? {};
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  return () => {
    const { operation, ...checked } = request();
    return { ...checked, operation: { ...operation, requestBody } };
  };
}

/** Every path is percent-encoded UTF-8; Express decodes parameters only. */
export const refuseMalformedPaths: RequestHandler = (request, _response, next) => {
  const { path } = request;
  // In absolute form (RFC 9112, section 3.2.2) a path would name another server where it is forwarded.
  if (!request.originalUrl.startsWith('/') && request.originalUrl !== '*')
    throw fail('VALIDATION', { message: 'The path is not valid.' });
  if (path.includes('%')) {
    try {
      decodeURIComponent(path);
    } catch {
      throw fail('VALIDATION', { message: 'The path is not valid.' });
    }
  }
  next();
};

/** Replaces every response that violates the contract by a 500, and reports it. For tests and staging. */
function checkResponses(
  operationId: string,
  checks: ReadonlyMap<number, OpenApiCheck | null>,
  onInvalidResponse: ReportInvalidResponse,
): RequestHandler {
  return (request, response, next) => {
    const json = response.json.bind(response);
    response.json = (body: unknown): Response => {
      void problemOf(checks, response.statusCode, structuredClone(body))
        .catch(String)
        .then((problem) => {
          if (problem === null) return json(body);
          onInvalidResponse(operationId, problem);
          const failure = fail('INTERNAL', { details: `request id ${requestIdOf(request)}` });
          return json.call(response.status(500), toEnvelope(failure));
        });
      return response;
    };
    next();
  };
}

async function problemOf(
  checks: ReadonlyMap<number, OpenApiCheck | null>,
  status: number,
  body: unknown,
): Promise<string | null> {
  const check = checks.get(status);
  if (check === undefined) return `${status} is not a response of this operation`;
  return check === null ? null : (await check({ path: '/', body })).problem;
}

/** Built from the document's path, so that an internal address contains declared parameters only. */
export function addressOf(pattern: string, { params, query }: Pick<ValidatedParameters, 'params' | 'query'>): string {
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
