import type { RequestHandler, Request, Response } from 'express';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { requestIdOf } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { csvOf } from '@rapporteur/contracts/csv';
import { helpLink } from '../docs-page/help-link.ts';
import { addressOf, acceptedOf } from '../contract/validator.ts';
import { keyOf } from '../keys/authentication.ts';
import type { ForwardedOwner, Owners, KeyedCall } from './owners.ts';

/** Call options of requests that carry an Idempotency-Key. */
export const keyedCalls = new WeakMap<Request, KeyedCall>();

const csvList = z.object({
  data: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  cursor: z.string().nullable().optional(),
});

interface CsvResponse {
  /** The list as JSON. */
  readonly text: string;
  readonly columns: readonly string[];
  /** Address of the page at this cursor. */
  readonly nextPage: (cursor: string) => string;
}

export interface ForwardedOperation extends Pick<PublicOperation, 'method' | 'path'> {
  readonly owner: ForwardedOwner;
  /** Columns of the response as CSV; null for an operation without that. */
  readonly csvColumns: readonly string[] | null;
}

export interface ForwardingDependencies {
  readonly owners: Owners;
  /** Sends responses as parsed JSON, so that the contract can validate them. */
  readonly parseResponses: boolean;
}

/**
 * Forwards an accepted request to the owning service, at `/internal` + the same path, with a signed token for team,
 * permission and request id; returns its response unchanged. UNAVAILABLE within 3 s when the owner is down.
 */
export function forward(
  { owners, parseResponses }: ForwardingDependencies,
  operation: ForwardedOperation,
): RequestHandler {
  return async (request, response) => {
    const accepted = acceptedOf(request);
    const { teamId, permission, keyId } = keyOf(request);
    const reply = await owners.sendRequest({
      owner: operation.owner,
      method: operation.method.toUpperCase(),
      path: addressOf(operation.path, accepted),
      ...(accepted.body === undefined ? {} : { body: accepted.body }),
      teamId,
      permission,
      keyId,
      requestId: requestIdOf(request),
      keyed: keyedCalls.get(request),
    });
    response.status(reply.status).set(reply.headers);
    if (reply.status >= 400) response.set('link', helpLink);
    const { csvColumns: columns } = operation;
    if (columns !== null) response.vary('accept');
    if (columns !== null && reply.status === 200 && prefersCsv(request)) {
      const nextPage = (cursor: string) =>
        addressOf(operation.path, { ...accepted, query: { ...accepted.query, cursor } });
      return sendCsv(response, { text: reply.text, columns, nextPage });
    }
    const format = accepted.query['format'];
    if (reply.status === 200 && typeof format === 'string' && format !== 'json')
      return sendText(response, { text: reply.text, format });
    if (parseResponses) response.json(JSON.parse(reply.text));
    else response.type('application/json').send(reply.text);
  };
}

function prefersCsv(request: Request): boolean {
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

/** Sends the items of a list as lines; the header `Link` names the next page. */
function sendCsv(response: Response, { text, columns, nextPage }: CsvResponse): void {
  const { data, cursor = null } = csvList.parse(JSON.parse(text));
  if (cursor !== null) response.set('link', `<${nextPage(cursor)}>; rel="next"`);
  response.type('text/csv; header=present').send(csvOf(data, columns));
}

/** Sends `data` as it is, in the content type of the format that the request names. */
function sendText(response: Response, { text, format }: { readonly text: string; readonly format: string }): void {
  const { data } = z.object({ data: z.string() }).parse(JSON.parse(text));
  response.type(format).send(data);
}
