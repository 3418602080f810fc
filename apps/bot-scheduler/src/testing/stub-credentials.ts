import { internalCalls } from '@rapporteur/contracts';
import type { CredentialChoice, CredentialStatus, JoinTokenCommand, JoinTokenResult } from '@rapporteur/contracts';
import { createApp, createService, jsonBody, Secret, sendFailures } from '@rapporteur/service-runtime';
import { internalSecret } from './test-scheduler.ts';

/** A stub of sso-idp: records requests and returns the configured responses. */
export interface StubCredentials {
  readonly url: string;
  readonly requested: CredentialChoice[];
  readonly commands: JoinTokenCommand[];
  status: CredentialStatus;
  token: JoinTokenResult;
  /** Every response waits for this. */
  ready: Promise<unknown>;
  /** Makes every further response a 500. */
  broken: boolean;
  stop(): Promise<unknown>;
}

export async function startStubCredentials(): Promise<StubCredentials> {
  const service = createService({
    name: 'sso-idp',
    internalSecret: new Secret(internalSecret),
    logLevel: 'silent',
  });
  const app = createApp(service);
  const readJson = jsonBody({ limitBytes: 4_096 });
  const schedulerOnly = service.auth.require(['bot-scheduler']);
  const stub: StubCredentials = {
    url: '',
    requested: [],
    commands: [],
    status: null,
    token: { outcome: 'refused', message: 'The test says no.' },
    ready: Promise.resolve(),
    broken: false,
    stop: () => service.stop(),
  };
  app.post(internalCalls.credentials.status.path, schedulerOnly, readJson, async (request, response) => {
    if (stub.broken) throw new Error('The test breaks it.');
    stub.requested.push(internalCalls.credentials.status.body.parse(request.body));
    await stub.ready;
    response.json({ credential: stub.status });
  });
  app.post(internalCalls.credentials.joinToken.path, schedulerOnly, readJson, (request, response) => {
    if (stub.broken) throw new Error('The test breaks it.');
    stub.commands.push(internalCalls.credentials.joinToken.body.parse(request.body));
    response.json(stub.token);
  });
  app.use(...sendFailures(service));
  const { url } = await service.listen(app, { host: '127.0.0.1', port: 0 });
  return Object.assign(stub, { url });
}
