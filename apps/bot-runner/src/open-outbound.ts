import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';

/** The door to the customer's addresses, under the rules of the deployment. @throws Error when the rules can't be used */
export function openOutbound({ caFile, ...rules }: BotInvocation['outbound']): OutboundHttp {
  return createOutboundHttp({ ...rules, ...(caFile === null ? {} : { caFile }) });
}
