import type { Express, RequestHandler } from 'express';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { createContract, sendContractFailures } from './contract/validator.ts';
import { forward } from './forwarding/forwarding.ts';
import type { ForwardingParts } from './forwarding/forwarding.ts';
import { authenticate } from './keys/authentication.ts';
import type { AuthenticationParts } from './keys/authentication.ts';
import { limitRate } from './limits/rate-limit.ts';
import type { AdmitRequest } from './limits/rate-limit.ts';

export interface GatewayParts {
  readonly service: Service;
  readonly document: unknown;
  readonly validateResponses: boolean;
  readonly owners: ForwardingParts['owners'];
  readonly authentication: AuthenticationParts;
  readonly admit: AdmitRequest;
}

/**
 * The public edge, ready to listen: every operation of the document, in the order key, permission, rate, contract, owner.
 * Throws when the document cannot be used for validation.
 */
export async function createGateway(parts: GatewayParts): Promise<Express> {
  const { service, document, validateResponses, owners } = parts;
  const contract = createContract({ document, validateResponses });
  await contract.warmUp();
  const app = createApp(service);
  app.get('/openapi.json', (_request, response) => void response.json(document));

  const rate = limitRate(parts.admit);
  const forwarding = { auth: service.auth, clock: service.clock, owners, parseAnswers: validateResponses };
  for (const operation of contract.operations) {
    app[operation.method](
      expressPath(operation.path),
      authenticate(parts.authentication, operation.permission),
      ...(operation.method === 'get' ? [] : [rate]),
      ...contract.accept(operation),
      forward(forwarding, operation),
    );
  }
  for (const [path, methods] of methodsByPath(contract.operations)) app.all(path, refuseMethod(methods));
  app.use(sendContractFailures, ...sendFailures(service));
  return app;
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(operations: readonly PublicOperation[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path, method } of operations) {
    const key = expressPath(path);
    found.set(key, [...(found.get(key) ?? []), method.toUpperCase()]);
  }
  return found;
}

function refuseMethod(methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    response.setHeader('allow', methods.join(', '));
    throw fail('METHOD_NOT_ALLOWED');
  };
}
