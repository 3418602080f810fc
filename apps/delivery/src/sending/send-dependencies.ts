import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import type { RequestBotSecret } from './bot-secrets.ts';

/** Dependencies of an attempt. */
export interface SendDependencies {
  readonly outbound: Pick<OutboundHttp, 'request'>;
  readonly secrets: Pick<EndpointSecrets, 'forSigning' | 'openHeaders'>;
  readonly requestBotSecret: RequestBotSecret;
  readonly clock: Clock;
  readonly timeoutMs: number;
}
