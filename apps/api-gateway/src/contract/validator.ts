import type { Request, RequestHandler } from 'express';
import { publicOperations } from '@rapporteur/contracts/public-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { checkResponses } from './responses.ts';
import type { ReportMisfit } from './responses.ts';
import { bodyReader } from './body.ts';
import { createCompiler } from './compiled.ts';
import { readDocument } from './document.ts';
import { parameterReader } from './parameters.ts';
import type { AcceptedParameters } from './parameters.ts';

export interface ContractOptions {
  /** The OpenAPI document; not changed. */
  readonly document: unknown;
  /** Set to check every response too, for tests and staging: one that does not fit is reported here and becomes a 500. */
  readonly onMisfit?: ReportMisfit | undefined;
}

/** A request as it fits the contract, with the defaults filled in. */
export interface Accepted extends AcceptedParameters {
  /** Undefined where the operation reads no body; null where an optional one was left out. */
  readonly body: unknown;
}

export interface Contract {
  readonly operations: readonly PublicOperation[];
  /** Goes first on a route: with `onMisfit`, every response sent after it is checked. */
  watch(operation: PublicOperation): RequestHandler[];
  /** Lets only requests pass that fit, as `acceptedOf(request)`; VALIDATION names every field that does not. */
  accept(operation: PublicOperation): RequestHandler[];
  /** Columns of the operation's response as CSV; null for an operation without that. */
  csvColumns(operation: PublicOperation): readonly string[] | null;
}

const accepted = new WeakMap<Request, Accepted>();

/** What `accept` let in. Throws when the route forgot to request it: that is a programming error. */
export function acceptedOf(request: Request): Accepted {
  const found = accepted.get(request);
  if (found === undefined) throw new Error('This route reads its input unchecked: add contract.accept().');
  return found;
}

/** Compiles every operation of a document. Throws when the document cannot be used for that. */
export function createContract({ document, onMisfit }: ContractOptions): Contract {
  try {
    const operations = publicOperations(document);
    const read = readDocument(document);
    const compiler = createCompiler(read.schema);
    const prepared = new Map(
      operations.map((operation) => {
        const rules = read.operations.get(operation.id);
        if (rules === undefined) throw new Error(`The document lacks ${operation.id}.`);
        return [
          operation.id,
          {
            parameters: parameterReader(rules.parameters, compiler),
            body: bodyReader(operation, rules.body, compiler),
            csvColumns: rules.csvColumns,
            watch:
              onMisfit === undefined ? [] : [checkResponses(operation.id, rules.responses, { compiler, onMisfit })],
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
      accept: (operation) => [acceptWith(of(operation).parameters, of(operation).body)],
      csvColumns: (operation) => of(operation).csvColumns,
    };
  } catch (error) {
    throw new Error('The API document cannot be used for validation.', { cause: error });
  }
}

function acceptWith(
  parameters: ReturnType<typeof parameterReader>,
  body: ReturnType<typeof bodyReader>,
): RequestHandler {
  return async (request, _response, next) => {
    const read = parameters(request);
    const value = await body(request);
    request.body = value;
    accepted.set(request, { ...read, body: value });
    next();
  };
}

/** Everything in a path is percent-encoded UTF-8; Express itself looks only at the parts that are parameters. */
export const refuseMalformedPaths: RequestHandler = (request, _response, next) => {
  const { path } = request;
  if (path.includes('%')) {
    try {
      decodeURIComponent(path);
    } catch {
      throw fail('VALIDATION', { message: 'The path is not valid.' });
    }
  }
  next();
};
