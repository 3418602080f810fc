import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { publicOperations } from '@rapporteur/contracts/public-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { jsonBody } from '@rapporteur/service-runtime';
import { asContractFailure, isMisfitAnswer } from './contract-failure.ts';
import { findUnstorable } from './storable.ts';

const bodyLimitBytes = 1024 * 1024;
const warmUpDeadlineMs = 20_000;

export interface ContractOptions {
  /** The OpenAPI document; not changed. */
  readonly document: unknown;
  /** Checks owners' answers too. For tests: a wrong one becomes a 500. */
  readonly validateResponses: boolean;
}

export interface Contract {
  readonly operations: readonly PublicOperation[];
  /** Reads the body of this operation's requests and lets only those pass that fit, with the defaults filled in. */
  accept(operation: PublicOperation): RequestHandler[];
  /** Compiles every operation, so that no caller waits for it. Throws when the document itself is not valid. */
  warmUp(): Promise<void>;
}

export function createContract(options: ContractOptions): Contract {
  const operations = publicOperations(options.document);
  const validate = middleware({
    // The validator rewrites the document it is given.
    apiSpec: structuredClone(options.document) as never,
    validateRequests: {
      discriminator: true,
      coerceTypes: false,
      allowUnknownQueryParameters: false,
      allErrors: true,
    },
    validateResponses: options.validateResponses,
    // Keys are checked before a body is read; see keys/authentication.ts.
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as RequestHandler[];
  return {
    operations,
    accept: (operation) => [...(operation.takesBody ? readBody : [withoutBody]), refuseUnstorable, ...validate],
    warmUp: () => warmUp(operations, validate),
  };
}

/**
 * The validator keeps one compiled schema for every content type it has seen, parameters included: without one spelling for
 * all, a caller could fill the memory by varying them.
 */
const oneSpelling: RequestHandler = (request, _response, next) => {
  request.headers['content-type'] = 'application/json';
  next();
};

const onlyJson: RequestHandler = (request, _response, next) => {
  if (isEmpty(request)) throw fail('VALIDATION', { message: 'body is required: send it as application/json' });
  if (request.is('application/json') === false) throw fail('UNSUPPORTED_MEDIA_TYPE');
  next();
};

/** Neither a body nor a word about its type. */
function isEmpty({ headers }: Request): boolean {
  return (
    headers['content-type'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  );
}

const readBody: readonly RequestHandler[] = [onlyJson, jsonBody({ limitBytes: bodyLimitBytes }), oneSpelling];

const withoutBody: RequestHandler = (request, _response, next) => {
  delete request.headers['content-type'];
  next();
};

const refuseUnstorable: RequestHandler = (request, _response, next) => {
  const problem = findUnstorable(request.body, 'body') ?? findUnstorable(request.query, 'query');
  if (problem !== null) throw fail('VALIDATION', { message: problem });
  next();
};

/** Goes before the house's own error handler, which knows nothing of the contract. */
export const sendContractFailures: ErrorRequestHandler = (thrown: unknown, _request, response, next) => {
  const found = asContractFailure(thrown);
  if (found === null) return next(thrown);
  response.set(found.headers);
  next(found.failure);
};

/**
 * The validator compiles an operation when it is first asked for, and reports a document it cannot use in the same way:
 * one request each, on a server of its own that nobody else reaches.
 */
async function warmUp(operations: readonly PublicOperation[], validate: RequestHandler[]): Promise<void> {
  const app = express();
  const broken: unknown[] = [];
  app.use(express.json(), ...validate, (_request, response) => void response.json({ success: true }));
  const onError: ErrorRequestHandler = (thrown: unknown, _request, response, _next) => {
    // What a made-up request or answer does not fit is no news; everything else means the document cannot be used.
    if (asContractFailure(thrown) === null && !isMisfitAnswer(thrown)) broken.push(thrown);
    response.end();
  };
  app.use(onError);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    for (const { method, path, takesBody } of operations) {
      await fetch(`http://127.0.0.1:${port}${path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')}`, {
        method: method.toUpperCase(),
        signal: AbortSignal.timeout(warmUpDeadlineMs),
        ...(takesBody ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
      });
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  if (broken.length > 0)
    throw new Error('The public API document cannot be used for validation.', { cause: broken[0] });
}
