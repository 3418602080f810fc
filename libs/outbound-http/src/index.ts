export { measureRequests, providerMetricsOf } from './measure-requests.ts';
export type { ProviderMeasurements } from './measure-requests.ts';
export type { GuardedAgents } from './guarded-agents.ts';
export { createOutboundHttp, createUrlCheck } from './outbound-http.ts';
export type {
  OutboundResponse,
  OutboundHttp,
  OutboundHttpOptions,
  OutboundRequest,
  StreamedBody,
} from './outbound-http.ts';
export { openOutbound } from './open-outbound.ts';
export { failureFrom, OutboundFailure } from './outbound-failure.ts';
export type { OutboundFailureKind } from './outbound-failure.ts';
export { proxyOf, proxyOptions, useProxyForFetch } from './proxy.ts';
export type { ProxySettings } from './proxy.ts';
export { bySimulatedCredentials } from './simulated-credentials.ts';
export type { Lookup } from './resolve.ts';
export type { OutboundMessage, OutboundSocket, OutboundSocketRequest, SocketEnd } from './socket.ts';
export type { UrlKind } from './url-check.ts';
export { callbackKey, endpointKey, messageHeaders, signatures } from './webhook-signature.ts';
