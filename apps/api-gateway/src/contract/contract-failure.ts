import { error as contractErrors } from 'express-openapi-validator';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';

const namedProblems = 10;
/** Enough to find that many different ones; the rest is only counted. */
const readProblems = 1_000;

interface Problem {
  readonly path: string;
  readonly message?: string;
}

/** The headers an answer needs besides its envelope, for example `Allow` with a 405. */
export interface ContractFailure {
  readonly failure: Failure;
  readonly headers: Readonly<Record<string, string>>;
}

/** Turns what the contract validator throws into a failure of the catalogue; null for what it did not throw. */
export function asContractFailure(thrown: unknown): ContractFailure | null {
  if (thrown instanceof contractErrors.MethodNotAllowed) {
    return { failure: fail('METHOD_NOT_ALLOWED'), headers: { allow: thrown.headers?.['Allow'] ?? '' } };
  }
  const failure = failureOf(thrown);
  return failure === null ? null : { failure, headers: {} };
}

function failureOf(thrown: unknown): Failure | null {
  if (thrown instanceof contractErrors.BadRequest) return fail('VALIDATION', { message: sentenceOf(thrown) });
  if (thrown instanceof contractErrors.UnsupportedMediaType) return fail('UNSUPPORTED_MEDIA_TYPE');
  if (thrown instanceof contractErrors.NotFound) return fail('NOT_FOUND');
  return null;
}

/** An owner's answer that does not fit the contract. */
export function isMisfitAnswer(thrown: unknown): boolean {
  return thrown instanceof contractErrors.InternalServerError;
}

/** `body/bot_name must NOT have more than 255 characters, body/extra must be object`. */
function sentenceOf(thrown: {
  readonly errors?: readonly Problem[];
  readonly path?: string;
  readonly message: string;
}): string {
  const problems = thrown.errors ?? [];
  if (problems.length === 0) return thrown.message;
  const told = new Set(
    problems
      .slice(0, readProblems)
      .map(({ path, message }) => `${fieldOf(path)} ${wordsOf(message ?? 'does not fit')}`),
  );
  const rest = told.size - namedProblems + Math.max(0, problems.length - readProblems);
  return `${[...told].slice(0, namedProblems).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

function fieldOf(path: string): string {
  return path.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
}

const clearerWords: Readonly<Record<string, string>> = {
  'must match pattern "^https://"': 'must be an https:// address',
  'must match pattern "^https?://"': 'must be an http:// or https:// address',
  'must match pattern "^wss?://"': 'must be a ws:// or wss:// address',
};

function wordsOf(message: string): string {
  if (message.startsWith('must have required property')) return 'is required';
  if (message.startsWith('Unknown query parameter')) return 'is not a parameter of this operation';
  if (message.startsWith('Empty value found')) return 'must not be empty';
  return clearerWords[message] ?? message;
}
