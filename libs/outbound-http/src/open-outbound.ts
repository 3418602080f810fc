import { createOutboundHttp } from './outbound-http.ts';
import { proxyOf } from './proxy.ts';
import type { OutboundHttp, OutboundHttpOptions } from './outbound-http.ts';

/**
 * The client of a service under the rules of its deployment, closed when the service stops. @throws Error when the
 * rules can't be used
 */
export function openOutbound(
  service: { onStop(what: string, stop: () => void | Promise<void>): void },
  config: Pick<OutboundHttpOptions, 'requireHttps' | 'caFile'> &
    Parameters<typeof proxyOf>[0] & { readonly allowedAddresses: readonly string[] },
): OutboundHttp {
  const { allowedAddresses: allow, requireHttps, caFile } = config;
  const http = createOutboundHttp({ allow, requireHttps, caFile, proxy: proxyOf(config) });
  service.onStop('outgoing connections', () => http.close());
  return http;
}
