import { error as openApiErrors, middleware } from 'express-openapi-validator';
import type { RequestHandler, Response } from 'express';
import { fieldName, parseDateTime } from '@rapporteur/service-runtime';
import type { BoundedMember, CheckedOperation } from './document.ts';

/** As express-openapi-validator reports them: `/body/bot_name`, `must be string`, `type.openapi.validation`. */
interface Problem {
  readonly path: string;
  readonly message?: string;
  readonly errorCode?: string;
}

const namedProblems = 10;
/** Enough to find that many distinct problems; the rest is only counted. */
const readProblems = 1_000;

/** `bot_name: must NOT have more than 255 characters, extra: must be object,null`. */
function sentenceOf(problems: readonly Problem[]): string {
  const read = withoutBranches(problems.slice(0, readProblems));
  const reported = new Set(read.map((problem) => `${fieldOf(problem)}: ${wordsOf(problem)}`));
  const rest = reported.size - namedProblems + Math.max(0, problems.length - readProblems);
  return `${[...reported].slice(0, namedProblems).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

const keywordOf = ({ errorCode = '' }: Problem) => errorCode.split('.')[0];
const isUnion = (problem: Problem) => ['anyOf', 'oneOf'].includes(keywordOf(problem) ?? '');

/**
 * The problems of a union's branches precede it and are reported once, at the union; those of an `if` at its fields.
 */
function withoutBranches(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  for (const problem of problems) {
    if (keywordOf(problem) === 'if') continue;
    if (!isUnion(problem)) {
      kept.push(problem);
      continue;
    }
    const outside = kept.findLastIndex(({ path }) => path !== problem.path && !path.startsWith(`${problem.path}/`));
    const branches = kept.splice(outside + 1).filter(({ path }) => path === problem.path);
    // A branch of the given type says more than those of other types.
    const ofType = branches.filter((branch) => keywordOf(branch) !== 'type');
    const words = [...new Set((ofType.length > 0 ? ofType : branches).map(wordsOf))];
    kept.push(words.length === 0 ? problem : { path: problem.path, message: words.join(', or ') });
  }
  return kept;
}

const fieldOf = ({ path }: Problem) =>
  fieldName(
    path
      .split('/')
      .slice(2)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  );

const clearerPatterns: Readonly<Record<string, string>> = {
  'must match pattern "^https://"': 'must be an https:// address',
  'must match pattern "^https?://"': 'must be an http:// or https:// address',
  'must match pattern "^wss?://"': 'must be a ws:// or wss:// address',
  'must match pattern "\\S"': 'must not be blank',
};

/** The pattern of a list of known values, joined by commas. */
const listPattern = /^must match pattern "\^\(([\w|]+)\)\(,\(\1\)\)\*\$"$/;

function wordsOf(problem: Problem): string {
  const { message = 'does not fit' } = problem;
  const [, values] = listPattern.exec(message) ?? [];
  if (values !== undefined) return `must be one or several, joined by commas, of ${values.replaceAll('|', ', ')}`;
  return keywordOf(problem) === 'required' ? 'is required' : (clearerPatterns[message] ?? message);
}

/**
 * A request as express-openapi-validator receives it. The client's request is never passed: its headers and target are
 * untrusted.
 */
export interface CheckedInput {
  /** Path with its parameters, percent-encoded. */
  readonly path: string;
  readonly query?: Record<string, unknown>;
  readonly headers?: Record<string, unknown>;
  /** Left out for an operation that reads no body. */
  readonly body?: unknown;
}

export interface Checked {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  /** The problems by field, as `place.of.field: message`; null when the input is valid. */
  readonly problem: string | null;
}

/**
 * Applies defaults, converts parameters to the types of their schemas, and reports problems: every one if `thorough`,
 * else the first.
 * @throws Error when the operation cannot be used for validation
 */
export type OpenApiCheck = (input: CheckedInput, thorough?: boolean) => Promise<Checked>;

type OpenApiOptions = Parameters<typeof middleware>[0];

/**
 * Schemas are compiled once, at an operation's first request: compiling all of them takes longer than the rest of the
 * start. Each operation is a separate document, because the validator searches its routes linearly.
 */
export function createCheck(readOperation: () => CheckedOperation): OpenApiCheck {
  let checked: CheckedOperation | undefined;
  let [all, first]: (RequestHandler[] | undefined)[] = [];
  return async (input, thorough = true) => {
    checked ??= readOperation();
    const handlers = thorough ? (all ??= handlersOf(checked, true)) : (first ??= handlersOf(checked, false));
    const view = viewOf(checked.method, input);
    const problems = [...(await problemsOf(handlers, view)), ...tooLong(checked.bounded, input.body)];
    const { 'content-type': _type, ...headers } = view.headers;
    return {
      params: view.params,
      query: view.query,
      headers,
      problem: problems.length === 0 ? null : sentenceOf(problems),
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
    // The tests of libs/contracts validate the documents; keys and files are read elsewhere.
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    validateRequests: { allErrors, discriminator: true },
    validateResponses: false,
    ajvFormats: { mode: 'full' },
    formats: {
      ...integerFormats,
      'date-time': { type: 'string', validate: isDateTime },
      // The format of JSON Schema admits the prefix `urn:uuid:` too.
      uuid: { type: 'string', validate: (text: string) => isUuid.test(text) },
    },
  }) as unknown as RequestHandler[];
}

const isDateTime = (text: string): boolean => parseDateTime(text) !== null;
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const uint = (most: number) => ({
  type: 'number' as const,
  validate: (value: number) => Number.isInteger(value) && value >= 0 && value <= most,
});
const integerFormats = { uint32: uint(2 ** 32 - 1), uint64: uint(Number.MAX_SAFE_INTEGER) };

type View = ReturnType<typeof viewOf>;

/** One content type for all bodies: the validator compiles and caches a check per content type. */
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
