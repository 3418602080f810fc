import { error as openApiErrors, middleware } from 'express-openapi-validator';
import type { RequestHandler, Response } from 'express';
import { parseDateTime } from '@rapporteur/service-runtime';
import type { BoundedMember, CheckedOperation } from './document.ts';
import { sentenceOf } from './problems.ts';
import type { Problem } from './problems.ts';

/** A request as express-openapi-validator sees it: it never gets the request of the client, whose headers and target are free text. */
export interface CheckedInput {
  /** Path with its parameters, percent-encoded. */
  readonly path: string;
  readonly query?: Record<string, unknown>;
  readonly headers?: Record<string, unknown>;
  /** Left out for an operation that reads no body. */
  readonly body?: unknown;
  /** Starts the fields of the body; default `body`. */
  readonly place?: string;
}

export interface Checked {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  /** What does not fit, by field, as `place/to/field words`; null when all of it fits. */
  readonly problem: string | null;
}

/**
 * Fills in defaults, turns parameters into what their schemas say, and names what does not fit. `thorough` names every problem, not
 * only the first. @throws Error when the operation cannot be used for validation
 */
export type OpenApiCheck = (input: CheckedInput, thorough?: boolean) => Promise<Checked>;

type OpenApiOptions = Parameters<typeof middleware>[0];

/**
 * The schemas are compiled when the first value is checked, once: compiling all operations takes longer than the rest of a start.
 * Each operation is a document of its own, because the validator searches its routes one by one.
 */
export function createCheck(readOperation: () => CheckedOperation): OpenApiCheck {
  let checked: CheckedOperation | undefined;
  let [all, first]: (RequestHandler[] | undefined)[] = [];
  return async (input, thorough = true) => {
    checked ??= readOperation();
    const handlers = thorough ? (all ??= handlersOf(checked, true)) : (first ??= handlersOf(checked, false));
    const view = viewOf(checked.method, input);
    const place = input.place ?? 'body';
    const problems = [...(await problemsOf(handlers, view)), ...tooLong(checked.bounded, input.body)];
    const { 'content-type': _type, ...headers } = view.headers;
    return {
      params: view.params,
      query: view.query,
      headers,
      problem: problems.length === 0 ? null : sentenceOf(problems, place),
    };
  };
}

function handlersOf({ method, path, operation, components }: CheckedOperation, allErrors: boolean): RequestHandler[] {
  const document = {
    openapi: '3.1.0',
    info: { title: path, version: '1' },
    paths: { [path]: { [method]: operation } },
    components,
  };
  return middleware({
    apiSpec: document as unknown as OpenApiOptions['apiSpec'],
    // The tests of libs/contracts check the documents; keys and files are read elsewhere.
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    validateRequests: { allErrors, discriminator: true },
    validateResponses: false,
    ajvFormats: { mode: 'full' },
    formats: { ...integerFormats, 'date-time': { type: 'string', validate: isDateTime } },
  }) as unknown as RequestHandler[];
}

const isDateTime = (text: string): boolean => parseDateTime(text) !== null;
const uint = (most: number) => ({
  type: 'number' as const,
  validate: (value: number) => Number.isInteger(value) && value >= 0 && value <= most,
});
const integerFormats = { uint32: uint(2 ** 32 - 1), uint64: uint(Number.MAX_SAFE_INTEGER) };

type View = ReturnType<typeof viewOf>;

/** One content type for all bodies: the validator compiles and keeps a check for each that it meets. */
function viewOf(method: string, { path, query = {}, headers = {}, body }: CheckedInput) {
  return {
    method: method.toUpperCase(),
    originalUrl: path,
    path,
    baseUrl: '',
    app: { enabled: () => false, param: () => undefined },
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) } as Record<
      string,
      unknown
    >,
    params: {} as Record<string, unknown>,
    query,
    body,
  };
}

async function problemsOf(handlers: readonly RequestHandler[], view: View): Promise<readonly Problem[]> {
  try {
    for (const handler of handlers) {
      await new Promise<void>((resolve, reject) => {
        const next = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
        void handler(view as unknown as Parameters<RequestHandler>[0], {} as Response, next);
      });
    }
    return [];
  } catch (error) {
    if (error instanceof openApiErrors.BadRequest) return error.errors;
    throw error;
  }
}

function tooLong(bounded: readonly BoundedMember[], body: unknown): Problem[] {
  return bounded.flatMap(({ steps, limitBytes }) => {
    const value = steps.reduce<unknown>((found, step) => (found as Record<string, unknown> | null)?.[step], body);
    return typeof value !== 'object' || value === null || Buffer.byteLength(JSON.stringify(value)) <= limitBytes
      ? []
      : [{ path: `/body/${steps.join('/')}`, message: `must NOT be longer than ${limitBytes} bytes as JSON` }];
  });
}
