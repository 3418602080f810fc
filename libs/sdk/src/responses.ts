import { RapporteurError } from './rapporteur-error.ts';

type Json = Record<string, unknown>;

/** The service's body is the same for every problem of a key. */
const keyProblems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    missing: 'The request had no API key.',
    malformed: 'This is no API key of a Rapporteur service, or not the whole key: one begins with rap_.',
    unknown: 'This deployment does not know the API key. Check the key, and the address of the deployment.',
    revoked: 'The API key is revoked. Use another one.',
    expired: 'The API key has expired. Use another one.',
    permission: 'The API key may only create bots (Sending Access). Use one with Full Access.',
  }),
);

/** The body of a success, or the error of any other response. */
export async function readResponse(response: Response): Promise<Json> {
  const text = await response.text();
  const body = parseObject(text);
  const facts = { statusCode: response.status, requestId: response.headers.get('x-request-id') };
  if (response.ok && body !== null && body['success'] === true) return body;
  if (body === null || typeof body['code'] !== 'string') {
    throw new RapporteurError(
      `The answer (status ${response.status}) is not one of a Rapporteur service. Check baseUrl, and what stands between.`,
      { ...facts, code: 'SDK_UNEXPECTED_RESPONSE' },
    );
  }
  const keyProblem = keyProblems.get(response.headers.get('x-service-key-problem') ?? '');
  throw new RapporteurError(keyProblem ?? textOf(body['message']) ?? textOf(body['error']) ?? body['code'], {
    ...facts,
    code: body['code'],
    details: textOf(body['details']),
    retryAfter: secondsOf(body['retryAfter'] ?? response.headers.get('retry-after')),
  });
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function secondsOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null;
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
