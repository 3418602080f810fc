export { createOutboundHttp, createUrlCheck } from './outbound-http.ts';
export type { OutboundResponse, OutboundHttp, OutboundHttpOptions, OutboundRequest } from './outbound-http.ts';
export { OutboundFailure } from './outbound-failure.ts';
export type { OutboundFailureKind } from './outbound-failure.ts';
export type { Lookup } from './resolve.ts';
export type { OutboundMessage, OutboundSocket, OutboundSocketRequest, SocketEnd } from './socket.ts';
export type { UrlKind } from './url-check.ts';
