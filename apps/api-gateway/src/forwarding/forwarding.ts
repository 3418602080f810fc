import type { RequestHandler } from 'express';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { requestIdOf } from '@rapporteur/service-runtime';
import { helpLink } from '../docs-page/help-link.ts';
import { addressOf } from '../contract/address.ts';
import { acceptedOf } from '../contract/validator.ts';
import { prefersCsv, sendCsv } from './csv-response.ts';
import { keyedCalls } from './keyed-calls.ts';
import { keyOf } from '../keys/authentication.ts';
import type { ForwardedOwner, Owners } from './owners.ts';

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
    if (parseResponses) response.json(JSON.parse(reply.text));
    else response.type('application/json').send(reply.text);
  };
}
