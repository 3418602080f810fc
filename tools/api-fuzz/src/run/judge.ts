import type { ApiDocument } from '../document/document.ts';
import type { ServiceResponse, PlannedRequest } from './request.ts';

/** One contract violation. `kind` is the same for a reduced request. */
export interface Finding {
  readonly kind:
    | 'no response'
    | 'server error'
    | 'undocumented status'
    | 'off schema'
    | 'envelope'
    | 'leak'
    | 'slow'
    | 'misfit accepted'
    | 'fitting refused'
    | 'access'
    | 'repetition'
    | 'state';
  readonly what: string;
}

/** The exact body of specification 5.4. */
export const forbiddenBody =
  '{"success":false,"error":"Forbidden","code":"FST_ERR_FORBIDDEN","statusCode":403,"message":"Forbidden"}';

/** Not explained by a busy machine: a request took too much CPU, or waited for an event that never occurred. */
const slowestMs = 10_000;
const longestTarget = 8_000;
/** Texts that no response may contain. */
const leaks: readonly (readonly [RegExp, string])[] = [
  [/\bat [\w.<>]+ \(|\bat (?:async )?file:|\.ts:\d+/, 'a stack trace'],
  [/node_modules|\/(?:home|root|srv|opt|usr|var|tmp|proc)\//, 'a path of the server'],
  [/\b(?:select .+ from|insert into|update \w+ set|delete from|relation "|column "|syntax error at|violates )/i, 'SQL'],
  [
    /QueryFailedError|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ZodError|TypeError|RangeError/,
    'an internal error',
  ],
  [/127\.0\.0\.1|localhost|postgres(?:ql)?:\/\/|nats:\/\//, 'an internal address'],
];

/** Every contract violation of this response. */
export function judge(document: ApiDocument, request: PlannedRequest, response: ServiceResponse): Finding[] {
  const findings: Finding[] = [];
  const { status } = response;
  const add = (kind: Finding['kind'], what: string): void => void findings.push({ kind, what });
  if (status >= 500) add('server error', `${status} ${response.text.slice(0, 300)}`);
  if (response.durationMs > slowestMs) add('slow', `responded after ${Math.round(response.durationMs)} ms`);
  if (status >= 400) findings.push(...errorFindings(request, response));
  // The protocol's own response to a request line above the server's limit: no key, body or operation was read.
  if (status === 431 && request.target.length > longestTarget) return findings;
  if (!isElsewhere(request)) findings.push(...contractFindings(document, request, response));
  findings.push(...batchFindings(document, request, response), ...expectationFindings(request, response));
  return findings;
}

/** True when the malformed path may match no operation, where only the envelope is guaranteed. */
function isElsewhere({ expectation }: PlannedRequest): boolean {
  return expectation.kind === 'odd' && expectation.reason.startsWith('path');
}

function contractFindings(document: ApiDocument, { operation }: PlannedRequest, response: ServiceResponse): Finding[] {
  const schema = operation.responses.get(response.status);
  if (schema === undefined) {
    return [{ kind: 'undocumented status', what: `${response.status} ${response.text.slice(0, 300)}` }];
  }
  if (schema === null) return [];
  if (response.status === 200 && operation.csv && isCsv(response)) return [];
  if (response.json === undefined) return [{ kind: 'off schema', what: `${response.status} without JSON` }];
  const problem = document.problemOf(schema, response.json);
  return problem === null
    ? []
    : [{ kind: 'off schema', what: `${response.status} ${problem} in ${response.text.slice(0, 300)}` }];
}

function isCsv({ headers }: ServiceResponse): boolean {
  return String(headers['content-type']).startsWith('text/csv');
}

/** Every item of a batch is in one of the two lists, and an invalid one only among the errors. */
function batchFindings(
  document: ApiDocument,
  { operation, value, expectation }: PlannedRequest,
  response: ServiceResponse,
): Finding[] {
  const item = operation.body?.itemSchema ?? null;
  if (item === null || response.status !== 201 || expectation.kind === 'odd' || !Array.isArray(value)) return [];
  const { data, errors } = response.json as Record<'data' | 'errors', readonly { readonly index: number }[]>;
  const reported = [...data, ...errors].map(({ index }) => index).toSorted((left, right) => left - right);
  const findings: Finding[] = [];
  if (reported.join() !== value.map((_, at) => at).join())
    findings.push({
      kind: 'state',
      what: `${value.length} items, responses for ${reported.join()}: ${response.text.slice(0, 300)}`,
    });
  for (const { index } of data) {
    const problem = document.problemOf(item, value[index]);
    if (problem !== null) findings.push({ kind: 'misfit accepted', what: `item ${index}: ${problem}` });
  }
  return findings;
}

function errorFindings(request: PlannedRequest, response: ServiceResponse): Finding[] {
  const findings: Finding[] = [];
  const body = (response.json ?? {}) as Record<string, unknown>;
  if (request.generation === 'v2') {
    const whole =
      body['success'] === false &&
      body['statusCode'] === response.status &&
      [body['error'], body['code']].every((text) => typeof text === 'string' && text !== '') &&
      typeof body['message'] === 'string';
    if (!whole) findings.push({ kind: 'envelope', what: response.text.slice(0, 300) });
    if (
      response.status === 429 &&
      !(Number(response.headers['retry-after']) >= 0 && Number.isInteger(body['retryAfter']))
    )
      findings.push({
        kind: 'envelope',
        what: `429 without retryAfter and its header: ${response.text.slice(0, 300)}`,
      });
  }
  if (!String(response.headers['content-type']).startsWith('application/json'))
    findings.push({ kind: 'envelope', what: `content type ${String(response.headers['content-type'])}` });
  for (const [pattern, what] of leaks) {
    const found = pattern.exec(response.text)?.[0];
    if (found !== undefined)
      findings.push({ kind: 'leak', what: `${what}: ${found} in ${response.text.slice(0, 300)}` });
  }
  return findings;
}

/** A secret is in the first response only. */
const withoutSecrets = (body: string): string => body.replaceAll(/"(api_key|secret)":"[^"]*"/g, '"$1":null');

function expectationFindings({ expectation, generation }: PlannedRequest, response: ServiceResponse): Finding[] {
  const { status, text } = response;
  const reported = `${status} ${text.slice(0, 300)}`;
  const unless = (kept: boolean, kind: Finding['kind'], what: string): Finding[] => (kept ? [] : [{ kind, what }]);
  switch (expectation.kind) {
    case 'fits':
      return unless(
        ![400, 403, 413, 415].includes(status) || (status === 400 && expectation.refusal !== null),
        'fitting refused',
        reported,
      );
    case 'misfits':
      return unless(status >= 400, 'misfit accepted', `${expectation.reason}: ${reported}`);
    case 'forbidden':
      return unless(
        status === 403 && (!expectation.lacksPermission || generation !== 'v2' || text === forbiddenBody),
        'access',
        `${expectation.reason}: ${reported}`,
      );
    case 'unknown id':
      // Some operations count every attempt, with any id; an operation that a deployment lacks is refused before the id
      // is read.
      return unless(
        status === 404 || status === 429 || (status === 422 && text.includes('"FST_ERR_NOT_CONFIGURED"')),
        'access',
        `an unknown id or one of another team: ${reported}`,
      );
    case 'repetition':
      return unless(
        status === expectation.status && (text === expectation.body || text === withoutSecrets(expectation.body)),
        'repetition',
        `first ${expectation.status} ${expectation.body.slice(0, 200)}, then ${reported}`,
      );
    case 'key reused':
      return unless(status === 422 || status === 409, 'repetition', `another request under a used key: ${reported}`);
    case 'odd':
      return [];
  }
}
